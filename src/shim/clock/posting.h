/*
 * posting -- what the rank has posted last, for those who answer it.
 */
#ifndef SHIM_CLOCK_POSTING_H
#define SHIM_CLOCK_POSTING_H

#include "shim/clock/flight.h"

struct posting {
    struct op op;          /* the one that is being posted, or was posted last */
    uint64_t index;        /* of it */
    char *tail;            /* owned */
    size_t tail_size, tail_room;
    struct header *block;  /* of the send that is being posted */
    void *lent;            /* where its bytes are, or those of a receive go, if they are the program's */
    struct flight *flight; /* of a blocking send or receive that has not begun */
    struct numbered_choice choice;  /* of a completion or probe */
};
extern struct posting posting;

/* The requests of a completion. */
const uint32_t *posting_list(const struct op *);

/* Polls that repeat themselves. */
struct spin {
    bool goes_on;
    uint64_t key;
    uint64_t polls; /* noes so far */
};
extern struct spin spin;

/* The poll is decided to be no, for now; the library is called all the same, so that it goes on. */
bool poll_is_decided_no(void);

/* `no` was all that was decided, and has been said often enough: this is another run. */
void poll_leave_decided_no(void);

/* What was decided about a wildcard on this communicator is that it names its source after all; RANK_ANY: nothing. */
rank_t decided_source(struct numbered_choice *, const struct comm *);

#endif
