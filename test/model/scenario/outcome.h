/*
 * outcome -- how a run of a scenario ended, as a line of text: what all judges speak of.
 */
#ifndef TEST_SCENARIO_OUTCOME_H
#define TEST_SCENARIO_OUTCOME_H

#include "scenario/machine.h"

/* For each rank where it is, and what its variables hold; to be freed. */
char *outcome_text(const struct scenario *, const struct machine *const *);

/* Of them, in order and each once. */
struct outcomes {
    VEC(char *) at; /* owns */
};
void outcomes_add(struct outcomes *, char *text); /* takes it */
bool outcomes_have(const struct outcomes *, const char *text);
void outcomes_clear(struct outcomes *);

/* The first that one has and the other has not; NULL: they are the same. */
const char *outcomes_differ(const struct outcomes *, const struct outcomes *, const char **who);

/* Whether a rank of the outcome is in a call. */
bool outcome_is_stuck(const char *text);

#endif
