/*
 * runner -- a scenario as a program for the search (explore/runner.h).
 *
 * No process runs: each history is a machine.  A message carries its value as its
 * content, so two answers are equal if what was received is.  If there is a window, its keepers are players behind the ranks.
 */
#ifndef SCENARIO_RUNNER_H
#define SCENARIO_RUNNER_H

#include "explore/explore.h"
#include "scenario/going.h"

struct scenario_runner {
    const struct scenario *scenario; /* borrows */
    VEC(struct machine) at;          /* owns; by node */
    VEC(uint32_t) calls;             /* owns; by node: that were answered on the way to it */
    struct emission out;             /* the segment that was told last */
};

void scenario_runner_init(struct scenario_runner *, const struct scenario *);
void scenario_runner_release(struct scenario_runner *);
struct runner scenario_runner(struct scenario_runner *); /* borrows it */

/* What a search of it needs to know. */
struct explore_options scenario_options(const struct scenario *);

/* The statement behind an operation of the search, whose rank is known; NULL: none. */
const struct statement *scenario_statement(const struct scenario *, rank_t, const struct op *);

#endif
