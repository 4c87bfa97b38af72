/*
 * error -- raising MPI errors as the library would.
 */
#ifndef SHIM_ERROR_H
#define SHIM_ERROR_H

#include "shim/comm.h"
#include "shim/shim.h"

/*
 * Raises an error class (MPI_ERR_RANK ...) for the current call on a
 * communicator's error handler: MPI_ERRORS_RETURN returns it, a user's handler
 * is called, the fatal one tells tourney and does not come back.  MPI_SUCCESS
 * passes through.  Without a valid communicator: on MPI_COMM_WORLD.
 */
int error_raise(const struct comm *, int error_class);

#endif
