/*
 * late_messages -- which messages a wildcard could have taken, too ([Vo 2011], sections 5.1 and 5.2).
 * R1 to R5 are the rules of its section 5.1.2.
 *
 * A wildcard is a receive or probe from any source.  Its clock is final when it is certain
 * to be matched (R4): when it is complete, or something later is that would have had to
 * leave its message to it.  A message that is received later, fits, and does not know of
 * that match, could have been there before.
 */
#ifndef SHIM_CLOCK_LATE_MESSAGES_H
#define SHIM_CLOCK_LATE_MESSAGES_H

#include "shim/clock/clock.h"

struct wildcard;

/* R2: it was posted.  Owned here; `choice` is its number. */
struct wildcard *wildcard_new(const struct op *, uint64_t op, uint64_t choice);

/* What was received, or seen by a probe. */
struct arrival {
    uint64_t op;           /* the receive or probe */
    bool blocking;
    struct wildcard *wildcard; /* NULL: it named its source */
    context_t context;
    rank_t source;
    int32_t tag;
    uint64_t bytes;
    const struct header *header; /* NULL: not known, as after a probe */
};

/*
 * R4 and Theorems 5.3 and 5.5: clocks become final, the message's clock is taken over, and
 * it is looked for wildcards that it is late for.  Returns the receive's clock.
 */
uint64_t late_messages_arrived(const struct arrival *);

/* It will never be matched. */
void wildcard_cancel(struct wildcard *);

/* Of a receive that does not block: all that a synchronous send which it matched may be told of it (5.2.1.2). */
uint64_t wildcard_clock_when_posted(const struct wildcard *);

#endif
