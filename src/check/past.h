/*
 * past -- what each rank knows of the others, at each point of a run.
 *
 * A vector clock per segment: how many operations of each rank are known to have been
 * posted when the segment began.  Operations of one segment know the same of others.
 */
#ifndef CHECK_PAST_H
#define CHECK_PAST_H

#include "base/map.h"
#include "base/mem.h"
#include "explore/explore.h"

/* An operation of the run. */
struct clocked_event {
    rank_t rank;
    uint32_t number;  /* counted from 0 in its rank */
    uint32_t segment; /* of its rank, from 0 */
};

/* A call returned a message; this segment follows. */
struct received_message {
    rank_t rank;
    uint32_t segment;
};

struct past_segment {
    const struct op *ops;
    uint32_t count, first; /* operations, and the number of the first */
    const struct ret *ret; /* NULL: the beginning */
};

struct past {
    int ranks;
    uint64_t slack; /* of the search (M7) */
    VEC(struct past_segment) *segment; /* owns; by rank */
    uint32_t **clock;                  /* owns; by rank: `ranks` numbers for each segment */
    VEC(struct clocked_event) event;
    struct map of_op;    /* address of an operation -> event */
    struct map taker_of; /* address of a send -> event of the receive that took it */
    struct map receipt_of; /* address of a send -> where that receive was complete, in `receipt` */
    VEC(struct received_message) receipt;
};

/* False: the run goes twice through the same operations, which are then not told apart. */
bool past_begin(struct past *, struct explorer *, const struct run *, int ranks);
void past_release(struct past *);

/* NULL: there is none. */
const struct clocked_event *past_event(const struct past *, const struct op *);
const struct clocked_event *past_taker(const struct past *, const struct op *send);
const struct op *past_op(const struct past *, const struct clocked_event *);

/* Whether the first was posted before the second, whatever the speeds. */
bool past_knows(const struct past *, const struct clocked_event *first, const struct clocked_event *second);

/* Whether a receive of this message was complete, as a call has told its rank, before the event, whatever the speeds. */
bool past_knows_receipt(const struct past *, const struct op *send, const struct clocked_event *);

#endif
