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

/* The file that this library is in; owned by the caller.  NULL: none is found. */
char *program_mpi_file(const char *path);

/* Who made the library in a file: several have the standard's binary interface.  NULL: nobody that is known. */
struct mpi_library;
const struct mpi_library *program_mpi_maker(const char *file);

/*
 * The runtime library of -fsanitize=thread that the program needs, by the name under which it is looked for; owned by the caller.
 * NULL: it needs none, or is a script.
 */
char *program_thread_sanitizer(const char *path);

/* Which file it is: equal for equal bytes.  Owned by the caller; NULL: it cannot be read. */
char *program_digest(const char *path);

/* No rank has called MPI_Init: fine for a program that could have; else says so, and true. */
bool program_lacks_mpi(const char *name);

#endif
