/*
 * threads -- whether a program that has only MPI_THREAD_SINGLE starts threads.
 *
 * "Only one thread will execute" then.  Threads that libraries start for themselves do not count; the runtime of OpenMP
 * does it for the program.
 */
#ifndef SHIM_BODIES_THREADS_H
#define SHIM_BODIES_THREADS_H

#include <stdbool.h>

/* Before MPI_Init: whether one of so many threads, beside the one that calls, is surely the program's own. */
bool threads_of_program(int threads);

/* At the end of MPI_Init, with what was so at its beginning. */
void threads_open(bool several);

/* In every call: complains of a thread that was started since. */
void threads_tell(void);

#endif
