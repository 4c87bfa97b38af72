/*
 * way_out -- whether a run can come to its end from a state, if nothing is loosened.
 *
 * Who polls with MPI_Test or MPI_Iprobe is known to (spin.h), and a state where nothing else can happen has nothing on its menu.  Who spins on a
 * window makes calls like any other, so there is always something to decide.  What comes of it is tried: if all of it leads
 * round and round, with little slack this is a livelock.  The same for states of the search itself is endless.c.
 */
#ifndef EXPLORE_WAY_OUT_H
#define EXPLORE_WAY_OUT_H

#include "explore/state.h"

/* False also if that is not known: then game->unsure is set. */
bool way_out_is_missing(struct game *, const struct state *);

#endif
