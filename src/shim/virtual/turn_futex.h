/*
 * turn_futex -- system calls by which threads that take turns wait for each other are played in the rank.
 *
 * A thread that would sleep in the kernel until another one wakes it gives up its turn instead, so mutexes, conditions, barriers,
 * semaphores, joins and libgomp need not be known.
 */
#ifndef SHIM_VIRTUAL_TURN_FUTEX_H
#define SHIM_VIRTUAL_TURN_FUTEX_H

#include <stdint.h>

/* Wakes at most so many of those who wait there; how many it were. */
long wake_waiters(const uint32_t *word, long most, uint32_t bits);

#endif
