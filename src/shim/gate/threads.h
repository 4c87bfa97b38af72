/*
 * threads -- who starts threads in a process.
 */
#ifndef SHIM_GATE_THREADS_H
#define SHIM_GATE_THREADS_H

#include <stdbool.h>
#include <stddef.h>

/* Called by a thread that is about to start another one; NULL at first. */
extern void (*tourney_thread_hook)(void);

/*
 * Where threads take turns (shim/turns.h): what a new one is to run in place of its function, unless that says no; and that it
 * could not be started.  NULL: they do not.
 */
struct thread_starter {
    bool (*start)(void *(**function)(void *), void **data);
    void (*failed)(void *data);
};
extern struct thread_starter *tourney_thread_starter;

/* Called before a lock is taken, by the code at `place`; and when a thread yields.  NULL: nobody wants to know. */
extern void (*tourney_lock_hook)(const void *lock, const void *place, bool is_mutex);
extern void (*tourney_yield_hook)(void);

/* Where the first of them were started, as return addresses; how many there are. */
size_t tourney_thread_callers(const void **caller, size_t most);

#endif
