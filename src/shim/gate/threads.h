/*
 * threads -- who starts threads in a process.
 */
#ifndef SHIM_GATE_THREADS_H
#define SHIM_GATE_THREADS_H

#include <stddef.h>

/* Called by a thread that is about to start another one; NULL at first. */
extern void (*tourney_thread_hook)(void);

/* Where the first of them were started, as return addresses; how many there are. */
size_t tourney_thread_callers(const void **caller, size_t most);

#endif
