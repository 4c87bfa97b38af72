/*
 * threads -- who starts threads in a process.
 */
#ifndef SHIM_GATE_THREADS_H
#define SHIM_GATE_THREADS_H

#include <stdbool.h>
#include <stddef.h>

/* Called by a thread that is about to start another one; NULL at first. */
extern void (*tourney_thread_hook)(void);

/* What a thread is about to do with a lock. */
enum lock_step {
    LOCK_MUTEX,    /* it takes a mutex that has an owner */
    LOCK_OTHER,    /* the same of what is not known: it may have to wait */
    LOCK_SHARED,   /* it takes a lock that others who share it may have, too */
    LOCK_ATTEMPT,  /* it takes it, or is told that it cannot be had */
    LOCK_RELEASE,
};

/* What whoever lets threads take turns (shim/turns.h) wants to know, and does. */
struct thread_turns {
    /* What a new thread is to run in place of its function, unless that says no; and that it could not be started. */
    bool (*start)(void *(**function)(void *), void **data);
    void (*failed)(void *data);
    void (*joined)(void);               /* a thread that has ended was waited for */
    void (*lock)(const void *lock, const void *place, enum lock_step);
    void (*condition)(const void *mutex); /* the thread will wait for a condition, and then take the mutex again; NULL: it has */
    void (*signals)(bool);              /* it signals a condition, for one of those who wait; false: it has */
    void (*yields)(void);
    void (*cancels)(const void *place); /* it cancels another one */
};
extern struct thread_turns *tourney_thread_turns; /* NULL: they do not take turns */

/* Where the first of them were started, as return addresses; how many there are. */
size_t tourney_thread_callers(const void **caller, size_t most);

#endif
