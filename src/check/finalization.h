/*
 * finalization -- whether a run is over for good.
 */
#ifndef CHECK_FINALIZATION_H
#define CHECK_FINALIZATION_H

#include "explore/explore.h"

/* Every rank has called MPI_Finalize: what is open now stays so. */
bool finalization_is_complete(const struct explorer *, const struct run *, int ranks);

#endif
