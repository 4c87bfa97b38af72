/*
 * gate -- what the parts of the preloaded library know of each other.
 */
#ifndef SHIM_GATE_H
#define SHIM_GATE_H

#include <stdbool.h>

/* Whether this process is one of tourney's ranks. */
bool gate_is_rank(void);

/* Whether a file is a parallel MPI library; there may be no shim for it. */
bool gate_is_mpi(const char *path);

/* Whether the gate itself is busy with MPI's names. */
bool gate_is_opening(void);

#endif
