/*
 * chain -- of each channel a sum over its sends, in their order, that follows them as they come and go.
 *
 * Each send that was summed has a place, one more than the send before it, and stands in the sum of its channel with its hash times B^place.
 * So whoever leaves, or changes, is subtracted, and nobody else has to be looked at.  As long as all places from the first send to the last
 * are taken, the sum divided by B^(place of the first) is that of a channel on which nothing was sent before: that is told, and tells the order of
 * what is there alone.  When somebody has left from the middle, it is made anew, until those before have left, too.
 *
 * All that is modulo 2^64, in two halves, each with a B that is odd, so that it can be divided by.  Places are given when somebody asks: of a state of which
 * nobody does, no sums are kept.
 */
#ifndef SEM_CHAIN_H
#define SEM_CHAIN_H

#include "sem/state.h"

/* Of a channel with sends. */
struct map_key chain_sum(struct sem *, uint32_t channel, sem_identity *, void *data);

/* A send leaves its channel. */
void chain_leave(struct sem *, op_id);

/* What of an operation is in the sum is going to change, and has. */
void chain_before_change(struct sem *, const struct oper *);
void chain_after_change(struct sem *, const struct oper *);

/* What of any operation matters for what can happen, beside its envelope. */
void chain_stir_op(struct map_key *, const struct oper *, uint64_t identity);

/* The sum of a channel is that of its sends; else BUG(). */
void chain_check_invariants(const struct sem *, uint32_t channel);

#endif
