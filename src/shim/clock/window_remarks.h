/*
 * window_remarks -- what this rank does with windows on a real job, written into its file (CAUSAL_REMARK of call/causal.h).
 *
 * They are what the search has as operations (shim/window/remarks.h); and, since no keeper of a window is there to tell, what the rank has heard of others by
 * a lock, an atomic access or its own memory (board.h).
 */
#ifndef SHIM_CLOCK_WINDOW_REMARKS_H
#define SHIM_CLOCK_WINDOW_REMARKS_H

#include "shim/clock/clocked_window.h"

/* How many this rank has made. */
uint32_t window_remarks_made(void);

/* One more, of this kind or another; there is an end to them. */
void remark_put(struct op, const void *tail, size_t bytes);

/* The window is there, with flags of struct window_extent. */
void remark_window(struct clocked_window *, uint32_t flags);

/* `member`: the target, -1: all. */
void remark_of_window(const struct clocked_window *, int member, enum window_event);

/* An access to a member, with its pieces. */
void remark_use(const struct clocked_window *, int member, struct window_use, const struct window_piece *);

/* Accesses of this rank at a member, or (-1) at all, are complete; `locally`, only here. */
void remark_complete(struct clocked_window *, int member, bool locally);

/* It knows now who had the lock before. */
void remark_granted(struct clocked_window *, int member);

/* It is about to give the lock back; its accesses are complete. */
void remark_released(struct clocked_window *, int member);

/* Somebody may have told this rank something by what it put into a window. */
void remark_news(void);

#endif
