/*
 * block -- memory for a message: its header and, right behind it, its bytes.
 *
 * Blocks are used again: fresh memory of a large message would cost more than copying it.
 */
#ifndef SHIM_CLOCK_BLOCK_H
#define SHIM_CLOCK_BLOCK_H

#include "shim/clock/clock.h"

struct header *block_new(uint64_t bytes); /* of the message */
void block_free(struct header *);         /* or NULL */

static inline void *block_payload(struct header *block)
{
    return block + 1;
}

static inline struct header *block_of(void *payload)
{
    return (struct header *)payload - 1;
}

#endif
