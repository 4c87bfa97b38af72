/*
 * brute -- every run of a scenario, by the rules M1 to M9 in their plainest form.
 *
 * One state after the other, each post, match and return by itself, a set of states that
 * were visited, and nothing clever.  Of tourney's own code it uses the parser and the
 * machine of a single rank; nothing that knows of two.
 */
#ifndef TEST_SCENARIO_BRUTE_H
#define TEST_SCENARIO_BRUTE_H

#include "outcome.h"

/* Adds all outcomes; returns how many states it visited, or 0: too many. */
size_t brute_outcomes(const struct scenario *, bool step_by_step, struct outcomes *);

/* Whether one event is before another, in some run (seen[1]), and is not, in some (seen[0]); false: too many states. */
bool brute_order(const struct scenario *, const struct scenario_event *pair, bool *seen);

#endif
