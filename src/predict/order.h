/*
 * order -- puts what a model says happened into an order, or finds why there is none.
 *
 * The formula says what must have happened before each event, but not that these
 * causes come first.  A model in which they do is a run; one in which
 * events are each other's causes is none, and the clause that forbids that circle
 * holds in all runs.  Few circles ever come up, so they are forbidden one by one.
 *
 * Events are halts passed and sends taken; between them stand slots getting full,
 * members joining, channels cleared up to a send, probes that find something, and
 * messages received that a matched probe took.
 * Of a circle, the clause names the pairs in it and the buffering that would
 * have broken it.  Its halts need not be named: each event implies that the halt
 * before it in the circle was passed.
 */
#ifndef PREDICT_ORDER_H
#define PREDICT_ORDER_H

#include "predict/ours.h"

enum event_kind { EVENT_PASS, EVENT_MATCH, EVENT_FIND };

struct event {
    enum event_kind kind;
    uint32_t id;   /* halt; send; probe */
    uint32_t with; /* slot; send */
};

struct order {
    VEC(struct event) event; /* owns; of the last model, if it is a run */
    uint64_t circles;        /* forbidden so far */
};

/* True: the model is a run, in `event`.  False: clauses were added that forbid it. */
bool order_find(struct order *, struct ours *);
void order_release(struct order *);

#endif
