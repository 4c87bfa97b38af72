/*
 * window_calls -- the calls of one-sided communication in a scenario, as messages to keepers (call/window.h; W1 to W5).
 *
 * There is one window, in slot 0, which is there from the beginning and never freed.  Ranks neither load from it nor store to it by themselves, so there
 * are no private copies.  What a rank is answered it sees by contents alone: the value that was read.
 */
#ifndef SCENARIO_WINDOW_CALLS_H
#define SCENARIO_WINDOW_CALLS_H

#include "scenario/going.h"

/* Issues the call at hand, an access or one about epochs, or the next stage of it; whether it waits for an answer. */
bool window_call_issue(struct going *, const struct statement *);

/* The stage at hand is answered. */
void window_call_answer(struct going *, const struct ret *);

#endif
