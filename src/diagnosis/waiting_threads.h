/*
 * waiting_threads -- what the threads of ranks wait for in the end, and whether they do so in a circle.
 *
 * A rank whose threads take turns tells of each what it waits for, with the call in which it says that none can go on
 * (struct op_thread).  A thread waits for another one of its rank, which holds a lock or is to end, or in a call for other
 * ranks: there any thread could bring what is missing.
 */
#ifndef DIAGNOSIS_WAITING_THREADS_H
#define DIAGNOSIS_WAITING_THREADS_H

#include <stdio.h>

#include "outcome/final_state.h"

/* A rank with one thread, or one thread of a rank. */
struct waiting_thread_link {
    rank_t rank;
    const struct op_thread *thread; /* NULL: the rank has one */
};

/* Whether a rank that waits tells of several threads. */
bool waiting_threads_are_told(const struct final_state *);

/* A circle in which each waits for the next, and the last for the first, is told once, if there is one.  Borrowed for the call. */
void waiting_threads_tell_circle(const struct final_state *, void (*tell)(void *, const struct waiting_thread_link *, int n), void *);

/* The name of the lock in the program, to be freed; NULL: unknown. */
char *waiting_thread_lock(const struct final_state *, rank_t, const struct op_thread *);

/* What one waits for, in words: "is in MPI_Recv", "waits for the lock `mutex` that thread 1 holds". */
void waiting_thread_put(FILE *, const struct final_state *, rank_t, const struct op_thread *);

/* A circle in words, after "cycle: ". */
void waiting_threads_put_circle(FILE *, const struct final_state *, const struct waiting_thread_link *, int n);

#endif
