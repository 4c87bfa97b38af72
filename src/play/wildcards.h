/*
 * wildcards -- receives and probes from any source in a play: which message they get (call/round_robin.h).
 *
 * Asked when all rest and everything that ranks have posted was read.
 */
#ifndef PLAY_WILDCARDS_H
#define PLAY_WILDCARDS_H

#include "play/state.h"

/* A match of a receive from any source, of the lowest rank that has one: a certain one, or else any.  False: there is none. */
bool wildcards_choose(struct play *, bool certain, struct match *);

/* For a receive of this rank a message from there was chosen, by itself. */
void wildcards_note(struct play *, rank_t, rank_t source);

/*
 * Which of the first `n` of play->choices a probe of this rank sees.  As long as a message that was seen is there, it is seen again, and a receive from any
 * source takes the same; when it has been received, others have their turn.
 */
op_id wildcards_probe(struct play *, rank_t, int n);

#endif
