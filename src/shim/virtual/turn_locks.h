/*
 * turn_locks -- locks and conditions of threads that take turns: in which order they are had is a choice.
 */
#ifndef SHIM_VIRTUAL_TURN_LOCKS_H
#define SHIM_VIRTUAL_TURN_LOCKS_H

#include "shim/gate/threads.h"
#include "shim/virtual/turn_state.h"

/* Of struct thread_turns. */
void turn_before_lock(const void *lock, const void *place, enum lock_step);
void turn_condition(const void *mutex);
void turn_signals(bool);

/* One that waited for a condition, or for a mutex, is woken: it stops before the mutex, if others may have that first. */
void turn_wake(struct thread *);

/* It goes on. */
void turn_note_mutex(struct thread *);

#endif
