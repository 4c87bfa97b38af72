/*
 * window_access -- puts, gets and accumulates of a real job, told before the library makes them.
 */
#ifndef SHIM_CLOCK_WINDOW_ACCESS_H
#define SHIM_CLOCK_WINDOW_ACCESS_H

#include <mpi.h>

#include "call/window.h"

/* To what lies there at a member of the window; `op` is MPI_OP_NULL where there is none. */
void window_access_noted(enum window_access_kind, int member, MPI_Aint disp, MPI_Count, MPI_Datatype, MPI_Op, MPI_Win);

#endif
