/*
 * either_order -- accesses of the accumulate family whose order the program has given up (W19; call/accumulate_order.h).
 *
 * They are not sent by their calls, but by the next call of the rank that communicates: nothing can tell the difference, for in between the rank
 * neither waits nor tells anybody anything.  By then it is known which of them to one place may happen in either order, and for each two of
 * those the search chooses one; two of which the order follows from others are no choice, so every order is tried once.
 *
 * Such a call need not complete them, and another one to the same place may follow before something does, which may happen first, too (L18).  Of that a
 * lesson is left (thread_patterns.h).  With it, the call also chooses for each of them whether it goes, or stays behind one that is yet to come.  Where
 * the rank then waits for ever, nothing is yet to come: that is no run (OPF_WITHHOLDS).
 *
 * One with a request for its result is sent by the next call that communicates in any case.
 */
#ifndef SHIM_WINDOW_EITHER_ORDER_H
#define SHIM_WINDOW_EITHER_ORDER_H

#include "shim/window/epoch.h"

/* Whether the accumulates of this window wait here: not in a single run, which has one order. */
bool either_order_is_played(const struct window *);

/* Another one was called, and is the last of those that wait at this member. */
void either_order_note(const struct window *, int member);

/* What a call completes at a member: nothing, what has results, or all. */
enum order_end { ENDS_NOTHING, ENDS_RESULTS, ENDS_ALL };

/*
 * Orders what waits at a member.  Returns how many of them are to be sent now, which are the first of its list then, in the order in which
 * they are to be sent.
 */
uint32_t either_order_settle(struct window *, int member, enum order_end);

void either_order_release(struct target *);

#endif
