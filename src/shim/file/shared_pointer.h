/*
 * shared_pointer -- the shared pointer of a file, which ranks move alone or together.
 *
 * Who moves it alone asks its keeper (call/window.h), so the order in which ranks do so is decided like that of messages from any source.
 * Collective calls know where it is from each other: as long as nobody has moved it alone, every member knows it by itself, and
 * there is no keeper.
 */
#ifndef SHIM_FILE_SHARED_POINTER_H
#define SHIM_FILE_SHARED_POINTER_H

#include <stdbool.h>
#include <stdint.h>

#include "shim/comm.h"

struct shared_pointer {
    uint32_t slot;    /* of its keeper, or SLOT_NONE (window/slots.h) */
    uint64_t period;  /* how often collective calls have set it */
    MPI_Offset start; /* where it was then, in etypes: the same at every member */
    bool moved;       /* by this rank alone, since then */
};

/* Collective, as are open files: what each member has in use, by position. */
void shared_pointer_open(struct shared_pointer *, const struct comm *, const uint64_t *used);
void shared_pointer_close(const struct shared_pointer *);

/* Moves it on by so many etypes; where it was. */
MPI_Offset shared_pointer_move(struct shared_pointer *, struct comm *, int64_t by);

/* Collective: a new period begins, and all have come to this call. */
void shared_pointer_set(struct shared_pointer *, MPI_Offset);

/* Collective: whether somebody has moved it alone is known, by position; `start` is right after that. */
void shared_pointer_settle(struct shared_pointer *, struct comm *, bool moved);

#endif
