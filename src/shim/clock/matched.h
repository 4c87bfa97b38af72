/*
 * matched -- the clock that a synchronous send brings back ([Vo 2011], section 5.2.1).
 *
 * When a send returns that has to wait for its match, what the receiver knew at the match is
 * known to the sender.  The receiver's shim tells it in a message of its own, as soon as it
 * sees that the receive has been matched; the sender's waits for that.  A receiver that makes
 * no calls of its own cannot see it, and must not hold up the sender: after a while the
 * sender goes on, and its clock is uncertain, which costs coverage and never truth.
 */
#ifndef SHIM_CLOCK_MATCHED_H
#define SHIM_CLOCK_MATCHED_H

#include "shim/clock/flight.h"

/* To the sender of what this receive got. */
void matched_tell(struct flight *receive);

/* From the receiver of this send. */
void matched_hear(const struct flight *send);

#endif
