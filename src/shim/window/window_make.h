/*
 * window_make -- making windows of all kinds, and freeing them.
 */
#ifndef SHIM_WINDOW_WINDOW_MAKE_H
#define SHIM_WINDOW_WINDOW_MAKE_H

#include "shim/window/window.h"

/* What each member says of its part. */
struct window_part {
    uint64_t bytes, unit;
    uint64_t used;  /* of the first slots, at that member */
    uint64_t apart; /* shared ones: the parts need not follow each other */
    uint64_t promises; /* by info keys: */
};
enum {
    PART_IS_NEVER_LOCKED = 1, /* no_locks: nor are those of others */
    PART_HAS_SAME_SIZE = 2,   /* same_size: all parts do, and all members say so */
    PART_HAS_SAME_UNIT = 4,   /* same_disp_unit, likewise */
};

/*
 * Makes memory for a window that all members have agreed on, and its private copies; the address of this rank's part.
 */
typedef void *window_memory(struct window *, const struct window_part *);

/* Collective.  The memory is that of the program, or (`make` is not NULL) made for it. */
int window_make(MPI_Comm, MPI_Aint size, MPI_Aint disp_unit, int flavour, MPI_Info, window_memory *make, void *memory,
                MPI_Win *);

#endif
