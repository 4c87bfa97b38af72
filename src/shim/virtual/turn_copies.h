/*
 * turn_copies -- a copy of a rank whose threads take turns has these threads, too.
 *
 * fork() keeps the thread that calls it.  All others wait for their turn just then, in one place of the shim, and have noted there what a thread
 * has besides memory: registers, the thread pointer, blocked signals, the stack of its handlers, and what it has told the
 * kernel of robust mutexes and of its processor.  So in the copy each is made anew as a thread that goes on in that place.
 *
 * The C library knows its threads by the numbers of the first process, in every copy: they are in mutexes.
 */
#ifndef SHIM_VIRTUAL_TURN_COPIES_H
#define SHIM_VIRTUAL_TURN_COPIES_H

#include "shim/virtual/turn_state.h"

/* A thread is about to wait for its turn: notes all but the registers; it has them noted, and may be copied; and it has its turn. */
void thread_note_kernel_state(struct thread *);
void thread_is_parked(struct thread *, bool);

#endif
