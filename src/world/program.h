/*
 * program -- what can be said of a program before it runs.
 */
#ifndef WORLD_PROGRAM_H
#define WORLD_PROGRAM_H

#include <stdbool.h>

/* Dies with one sentence if tourney cannot run it; returns its path (owned by the caller). */
char *program_find(const char *name);

/* The name of the MPI library that the program is linked with (library/library.h), or "other"; NULL: none. */
const char *program_mpi(const char *path);

/* Which file it is: equal for equal bytes.  Owned by the caller; NULL: it cannot be read. */
char *program_digest(const char *path);

/* No rank has called MPI_Init: fine for a program that could have; else says so, and true. */
bool program_lacks_mpi(const char *name);

#endif
