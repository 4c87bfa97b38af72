/*
 * ended -- whether a run is over for good.
 */
#ifndef CHECK_ENDED_H
#define CHECK_ENDED_H

#include "explore/explore.h"

/* Every rank has called MPI_Finalize: what is open now stays so. */
bool all_finalized(const struct explorer *, const struct run *, int ranks);

#endif
