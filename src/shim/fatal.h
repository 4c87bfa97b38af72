/*
 * fatal -- MPI_ERRORS_ARE_FATAL, as far as the real library is concerned.
 *
 * For calls that it does by itself the library raises its errors itself, and the fatal
 * handler would end the process without a word to tourney.  So a handler of ours stands
 * in its place; the program sees MPI_ERRORS_ARE_FATAL.
 */
#ifndef SHIM_FATAL_H
#define SHIM_FATAL_H

#include "shim/shim.h"

void fatal_open(void);  /* after MPI_Init */
void fatal_close(void); /* before MPI_Finalize */

bool fatal_is(MPI_Errhandler); /* ours, or one of the library's */

#endif
