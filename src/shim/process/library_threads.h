/*
 * library_threads -- those that the MPI library starts for itself while it comes up: nobody waits for them, and they go with it.
 */
#ifndef SHIM_PROCESS_LIBRARY_THREADS_H
#define SHIM_PROCESS_LIBRARY_THREADS_H

#include <stdbool.h>
#include <sys/types.h>

/* Around the call by which it comes up. */
void library_threads_begin(void);
void library_threads_are_up(void);

bool library_threads_have(pid_t tid);

/* MPI_Finalize of the library is about to begin; and whether it has. */
void library_threads_go(void);
bool library_threads_are_going(void);

#endif
