/*
 * series -- the starts of one persistent collective, apart from those of others.
 *
 * MPI matches persistent collectives by the order of their init calls, not of their starts (Persistent Collective
 * Operations): an init takes its turn among the collectives of the communicator, and then the n-th start of the
 * one goes with the n-th start of the same one in every member, whatever else is started between.  So each
 * has a context of its own, in which its starts are the turns.
 */
#ifndef SHIM_OBJECTS_SERIES_H
#define SHIM_OBJECTS_SERIES_H

#include "shim/comm.h"

struct series {
    context_t context;
    uint32_t turns; /* starts so far */
};

/* Of the collective that was made in this turn of the communicator. */
void series_open(struct series *, const struct comm *, uint32_t turn);
void series_close(const struct series *);

#endif
