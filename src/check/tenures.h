/*
 * tenures -- windows that two ranks have at a time, though one has promised that it is not so, or the rules forbid it.
 *
 * A rank has the lock of a window from MPI_Win_lock to MPI_Win_unlock, and exposes its own from MPI_Win_post to MPI_Win_wait.
 * Who locks with MPI_MODE_NOCHECK promises that nobody has, or wants, a lock that conflicts with it meanwhile (MPI-4.0, 12.5.5), and no
 * window may be locked while it is exposed (12.5.3).  So of two such tenures the end of one must be in the past of the other's beginning;
 * else there is an execution, with the same matches, in which they overlap.  Locks that are asked for need no such thing: they wait.
 */
#ifndef CHECK_TENURES_H
#define CHECK_TENURES_H

#include "check/defect.h"
#include "explore/explore.h"

/* Nothing, at no cost, while no rank has a window that it did not ask for. */
void tenures_add(struct explorer *, const struct run *, int ranks, defects_t *);

#endif
