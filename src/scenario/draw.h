/*
 * draw -- a run of a scenario as columns, one row after the other.
 */
#ifndef SCENARIO_DRAW_H
#define SCENARIO_DRAW_H

#include <stdio.h>

#include "scenario/claim.h"

/* With the events of a claim in this order. */
void draw_run(FILE *, const struct story *, const struct ending *, const struct claim *, const struct event_order *);

/* Which sends have to be buffered for it, and which not; nothing if that does not matter. */
void draw_slack(FILE *, const struct story *);

#endif
