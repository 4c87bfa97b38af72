/*
 * stack -- where a process is, taken from outside.
 *
 * The process need not help: signals may be blocked, MPI_Init not yet called.
 */
#ifndef WORLD_STACK_H
#define WORLD_STACK_H

#include <stdint.h>
#include <sys/types.h>

enum { STACK_DEPTH = 64 };

/*
 * The return addresses on the stack of the first thread, the innermost first, in
 * the form of a crash's: the first, too, lies behind what is being executed.
 * Returns how many; 0 if the system does not let us look.  The process stays
 * stopped.
 */
int stack_take(pid_t, uint64_t address[static STACK_DEPTH]);

#endif
