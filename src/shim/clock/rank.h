/*
 * rank -- this process as a rank of a real job.
 */
#ifndef SHIM_CLOCK_RANK_H
#define SHIM_CLOCK_RANK_H

#include <mpi.h>
#include <stdbool.h>

#include "call/calls.h"

/* The call is not for us: the library calls itself, or this process is none that is watched. */
bool rank_passes(const void *place);

/* A communicator that was not made before our eyes, such as one with processes that were started later. */
bool rank_is_strange(MPI_Comm);

/* A call that is done without clocks. */
void rank_unsupported(enum call, const void *place);

#endif
