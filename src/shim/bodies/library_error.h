/*
 * library_error -- an error that the real library has raised by itself, in a call that it does for the program.
 */
#ifndef SHIM_BODIES_LIBRARY_ERROR_H
#define SHIM_BODIES_LIBRARY_ERROR_H

#include "shim/shim.h"

/* The handler that stands for MPI_ERRORS_ARE_FATAL (core/fatal_handler.h): tells tourney, and does not come back. */
void library_error(MPI_Comm *, int *code, ...);

#endif
