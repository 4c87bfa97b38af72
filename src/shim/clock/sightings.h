/*
 * sightings -- messages that a probe saw and that have not been received.
 *
 * Whoever saw a message knows that it was sent, and all that came before; but clocks travel with what is
 * received.  As long as something is seen only, the rank knows more than its clock says, and
 * what it sends then is uncertain (clock_doubt).  A matched probe is no such case: it receives at once.
 */
#ifndef SHIM_CLOCK_SIGHTINGS_H
#define SHIM_CLOCK_SIGHTINGS_H

#include "shim/clock/late_messages.h"

/* By a probe. */
void sightings_note(const struct arrival *);

/*
 * By a receive.  If that was posted after the probe it has the message that was seen, or a later one of the same
 * sender, whose clock knows as much.
 */
void sightings_received(const struct arrival *);

/* Whether there is such a message. */
bool sightings_any(void);

#endif
