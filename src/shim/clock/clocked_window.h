/*
 * clocked_window -- a window of a real job, and in which epochs this rank is.
 *
 * The memory is the library's.  What this rank does with it is written into its file (window_remarks.h), for those who look for races; who was
 * first, members tell each other (board.h).
 */
#ifndef SHIM_CLOCK_CLOCKED_WINDOW_H
#define SHIM_CLOCK_CLOCKED_WINDOW_H

#include "call/window.h"
#include "shim/comm.h"

enum clocked_lock { CLOCKED_NONE, CLOCKED_SHARED, CLOCKED_EXCLUSIVE };

/* What this rank does at one member. */
struct clocked_target {
    uint64_t unit; /* of displacements */
    enum clocked_lock lock;
    bool unchecked; /* with MPI_MODE_NOCHECK */
    bool granted;   /* the lock is known to be held */
    bool used;      /* there were accesses since it was asked for */
    bool awaits;    /* results, of gets or atomic accesses */
    bool fetches;   /* of atomic ones */
    bool started;   /* MPI_Win_start */
};

struct clocked_window {
    MPI_Comm members;
    struct comm *comm; /* of `members`; borrowed */
    int slot;
    bool fence_open; /* a fence may have begun an epoch, so the next one ends it */
    bool told;       /* accesses are; not of a shared window, where most are loads and stores */
    const char *base;
    uint64_t bytes;
    struct clocked_target *target; /* by member; owned */
    int *origin;                   /* MPI_Win_post: members; owned */
    int origins;
    MPI_Win board;
    uint64_t *written; /* this rank's part of the board */
    uint64_t *known;   /* the accesses that stood there when it was last looked at; owned */
};

struct clocked_window *clocked_window_find(MPI_Win); /* NULL: not one that was made here */
struct clocked_window *clocked_window_nth(size_t);   /* of some numbers there is none */
size_t clocked_window_numbers(void);
void clocked_window_add(MPI_Win, struct clocked_window *);
void clocked_window_remove(MPI_Win);

static inline int clocked_window_members(const struct clocked_window *w)
{
    return w->comm->local->size;
}

#endif
