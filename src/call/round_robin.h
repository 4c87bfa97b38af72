/*
 * round_robin -- whose message a receive from any source takes in a play.
 *
 * Sources take turns: whoever has a choice goes round the ranks, from the one behind the source that was chosen last for the same receiver,
 * and takes the first message that it comes by.  So no sender is passed over for good, and all workers of a
 * master get work.
 *
 * A choice is made when all rest, since the messages to choose from are as many then as they will ever be.  But one is *certain* before if each rank that comes
 * before the chosen one can send nothing until the receiver goes on: it waits for a message of the receiver, or has called MPI_Finalize.  That
 * stays so, and so does the message; so it is the same choice whenever it is made, and what others see when all rest does not depend on when it was.
 * Certain choices are made first: by the receiver itself, as soon as it sees that (shim/virtual/anticipate.h), or else by tourney, before any other choice (play/wildcards.h).
 */
#ifndef CALL_ROUND_ROBIN_H
#define CALL_ROUND_ROBIN_H

#include "call/op.h"

/*
 * The rank whose turn is the n-th, from 0, of so many.  `last_source`: 1 + the one that was chosen last; 0: none was.  Both tourney and the receiver keep it; who chooses for a rank has
 * made or followed all choices that were made for it before: tourney has read up to the call, and with each answer the rank is told (struct answer).
 */
static inline rank_t round_robin_turn(uint32_t last_source, int n, int ranks)
{
    return (rank_t)((last_source + (uint32_t)n) % (uint32_t)ranks);
}

/* Whether the turn of rank `a` comes before that of rank `b`. */
static inline bool round_robin_precedes(uint32_t last_source, rank_t a, rank_t b)
{
    bool a_follows = (uint32_t)a >= last_source, b_follows = (uint32_t)b >= last_source;
    return a_follows != b_follows ? a_follows : a < b;
}

#endif
