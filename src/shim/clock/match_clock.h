/*
 * match_clock -- the clock that a synchronous send brings back ([Vo 2011], section 5.2.1).
 *
 * When a send returns that has to wait for its match, what the receiver knew at the match is
 * known to the sender.  The receiver's shim tells it in a message of its own, as soon as it
 * sees that the receive has been matched; the sender's waits for that.  A receiver that makes
 * no calls of its own cannot see it, and must not hold up the sender: after a while the
 * sender goes on, and its clock is uncertain, which costs coverage and never truth.
 */
#ifndef SHIM_CLOCK_MATCH_CLOCK_H
#define SHIM_CLOCK_MATCH_CLOCK_H

#include "shim/clock/clock.h"

/* To the sender of a message, which was matched at this clock of ours. */
void match_clock_tell(const struct header *message, uint64_t clock);

/* From the receiver of a synchronous send, which is operation `op`.  False: it has not come yet. */
bool match_clock_hear(rank_t receiver, uint64_t op);

/* Whether to go on waiting for it; `until` is 0 at first.  False: the clock is uncertain from now on. */
bool match_clock_is_awaited(double *until);

#endif
