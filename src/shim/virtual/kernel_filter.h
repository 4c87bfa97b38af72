/*
 * kernel_filter -- has the kernel tell tourney of system calls that change what it keeps for the program.
 *
 * Images of a rank hold its memory, not what the kernel keeps for it: signal handlers, timers, what was
 * written to a pipe or a file.  From the end of MPI_Init on a seccomp filter holds every system call that
 * may change such things until tourney has taken note of it (world/kernel_watch.h).  What cannot
 * change them is let through, and costs nothing; so is what tourney can see for itself: which
 * files are open and where in them the program reads (world/files.h).
 */
#ifndef SHIM_VIRTUAL_KERNEL_FILTER_H
#define SHIM_VIRTUAL_KERNEL_FILTER_H

#include <stdbool.h>

/* A descriptor on which the calls can be listened to; -1: the kernel does not do that. */
int kernel_filter_install(void);

/*
 * From now on SIGSYS comes in place of system calls by which a rank would change what no savepoint brings back (savepoint.h),
 * or end.  False: the kernel does not do that.
 */
bool kernel_filter_trap(void);

/* The same for the futex calls of this thread, and of threads that it starts (turns.h). */
bool kernel_filter_catch_futex(void);

#endif
