/*
 * claim -- whether what is asserted holds in a run.
 *
 * A run stands for all orders of its events (story.h), so an assertion about what comes
 * before what can hold in some of them and not in others.
 */
#ifndef SCENARIO_CLAIM_H
#define SCENARIO_CLAIM_H

#include "scenario/machine.h"
#include "scenario/story.h"

/* How a run ended. */
struct ending {
    const struct scenario *scenario;
    const struct machine *machine[SCENARIO_RANKS];
    bool stuck, want, error;
    const struct story *story; /* NULL: no claim asks for it */
};

/* An order of the events of a claim: those that happen, as numbers of the claim. */
struct event_order {
    uint32_t n;
    uint32_t event[CLAIM_EVENTS];
};

/* The two sides: whether there is such an order, and one. */
struct judgement {
    bool holds[2];
    struct event_order order[2];
};

struct judgement claim_judge(const struct claim *, const struct ending *);

/* Whether only the state at the end matters, not how it came about. */
bool claim_is_about_ends(const struct claim *);

#endif
