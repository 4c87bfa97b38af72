/*
 * channel -- the other end of shim/channel.h, when nobody is there to answer but the library.
 *
 * The bodies of the calls post operations and sleep for answers, as they do when tourney
 * answers.  Here each operation is written down, becomes a call of the real library, and what
 * that says is the answer.
 */
#ifndef SHIM_CLOCK_CHANNEL_H
#define SHIM_CLOCK_CHANNEL_H

#include "shim/channel.h"

/* The index of the operation that was posted last. */
uint64_t channel_last(void);

/* What freed receives have brought, after a collective. */
void channel_hand_over_freed(void);

#endif
