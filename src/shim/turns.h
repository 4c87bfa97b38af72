/*
 * turns -- in a search the threads of a rank take turns: one runs at a time.
 *
 * A rank has to do the same whenever it is given the same answers, so it cannot be left to the kernel which of its threads
 * goes on.  From the moment when a rank that was provided MPI_THREAD_SERIALIZED or more starts a thread, the turn is handed
 * on where a thread cannot go on, and in front of calls whose order may matter:
 * - A thread that waits for requests says which; when all threads of the rank wait, the rank asks tourney which of these is
 *   complete (OPF_EITHER).  The thread whose it is then makes the call that completes it, as a rank with one thread does.
 * - A thread that would sleep in the kernel until another one wakes it (futex) gives up its turn instead; so mutexes,
 *   conditions, barriers, semaphores, joins and libgomp need not be known here.
 * - In front of a call that competes with calls of other threads (thread_patterns.h) a thread stops until all others have
 *   stopped as well, or wait.  Which of them goes on is a choice, which the search makes in every way.
 * - A thread that polls or yields lets all others go first.
 */
#ifndef SHIM_TURNS_H
#define SHIM_TURNS_H

#include <stdbool.h>
#include <stdint.h>

#include "call/op.h"

/* At the end of MPI_Init. */
void turns_open(void);

/* Whether this thread takes turns with others, of which there are some now. */
bool turns_are_taken(void);

/* Whether this thread takes turns or did, whether or not the others are still there. */
bool turns_know_thread(void);

/* The thread that makes the call which is being served, or for which is asked; they are counted from 0.  -1: this one takes no turns. */
int turns_speaker(void);

/* Whether another thread is within a call that communicates. */
bool turns_other_is_inside(void);

/* The thread is about to post this; `context` and so on are set.  Parts in collectives are told before they get their turn. */
void turns_before(const struct op *);
void turns_before_collective(context_t);

/* The thread is in a call that uses this memory, which the guard knows: one that may do so at the same time comes to that first. */
void turns_with_buffer(uintptr_t start, uintptr_t end, bool filled);

/*
 * Returns when one of these requests is complete; the call that completes it has still to be made.  `sure`: one is, unless there
 * is less slack than now.
 */
void turns_wait(const uint32_t *number, uint32_t n, bool sure);

/* A poll of this thread was told yes: its next one is another one. */
void turns_poll_succeeded(void);

/* This thread waits in a probe, while there are others. */
void turns_probe_beside(void);

/* Lets all others go on that can; false: none can until something comes from outside, and none waits for that. */
bool turns_yield(void);

/*
 * Copies of the rank (virtual/turn_copies.h): whether all its threads take turns, and so can be copied, for which they wait now; in the
 * copy, whose only thread this one is, makes the others.
 */
bool turns_can_be_copied(void);
void turns_copied(void);

/* The rank communicates no more. */
void turns_end(void);

#endif
