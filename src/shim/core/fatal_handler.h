/*
 * fatal_handler -- MPI_ERRORS_ARE_FATAL, as far as the real library is concerned.
 *
 * For calls that it does by itself the library raises its errors itself, and the fatal
 * handler would end the process without a word to tourney.  So a handler of ours stands
 * in its place; the program sees MPI_ERRORS_ARE_FATAL.
 */
#ifndef SHIM_CORE_FATAL_HANDLER_H
#define SHIM_CORE_FATAL_HANDLER_H

#include "shim/shim.h"

/* After MPI_Init, with what is to be called instead; before MPI_Finalize. */
void fatal_handler_open(MPI_Comm_errhandler_function *);
void fatal_handler_close(void);

bool fatal_handler_is(MPI_Errhandler); /* ours, or one of the library's */

/*
 * The communicator whose handler is for errors of calls without one.  MPI 4 says MPI_COMM_SELF; a library that does so still asks
 * MPI_COMM_WORLD if the program has set a handler there and none on MPI_COMM_SELF.
 */
MPI_Comm fatal_handler_comm(void);

#endif
