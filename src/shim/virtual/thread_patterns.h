/*
 * thread_patterns -- which calls of the threads of a rank compete.
 *
 * Two calls of different threads commute, unless they are sends that one receive could take, receives or probes that could
 * see one message, collectives on one communicator, or locks of one mutex, unless both share it; and a release with an attempt to
 * lock, which sees it.  The order of those that do not commute is a choice of the search.  Buffers with bytes in common, of which one is
 * filled, are learned of, too: a call that uses one lets the other threads go on as far as they can, so that two such calls meet if they can
 * (guard.h); nothing is chosen for that.  What a thread will call later nobody knows, so it is learned: a run in which two threads make calls that
 * compete leaves lessons (struct thread_lesson in call/wire.h), and the search begins anew with them.  Within one search
 * the lessons in force stay the same, so a rank does the same whenever it is run.
 */
#ifndef SHIM_VIRTUAL_THREAD_PATTERNS_H
#define SHIM_VIRTUAL_THREAD_PATTERNS_H

#include <stdbool.h>
#include <stdint.h>

#include "call/op.h"
#include "call/wire.h"

struct call_pattern {
    uint16_t kind; /* enum lesson_kind; LESSON_NONE: it commutes with everything */
    context_t context;
    rank_t peer;
    int32_t tag;
};

void thread_patterns_open(struct wire_head *, rank_t rank);

struct call_pattern pattern_of_op(const struct op *);

/* The thread makes such a call while there are others. */
void thread_pattern_note(int thread, const struct call_pattern *);

/* Somebody receives with any tag on this communicator: then the order of sends with different tags matters, too. */
void thread_patterns_note_any_tag(context_t);

/* Whether another thread is known to make calls that compete with this; and whether this one is. */
bool thread_pattern_competes(int thread, const struct call_pattern *);
bool thread_may_compete(int other, const struct call_pattern *);

/* An accumulate of this rank to the window of another may overtake one that was sent; whether that is known. */
void overtaking_note(uint32_t slot, rank_t target);
bool overtaking_is_known(uint32_t slot, rank_t target);

/* The rank has ended, or is about to: what was learned is to be heeded. */
void thread_patterns_settle(void);

#endif
