/*
 * spin -- scenarios for SPIN, straight from their statements.
 *
 * A scenario without loops posts each operation once, so that who may meet whom, and who
 * has to be out of the way (M2, M3), is known from the text: each pair becomes one option of
 * the network, with the rules as its guard.  Nothing of src/sem or src/explore is asked.
 */
#ifndef TEST_SCENARIO_SPIN_H
#define TEST_SCENARIO_SPIN_H

#include <stdio.h>

#include "scenario/scenario.h"

/* What cannot be said; NULL: everything can. */
const char *spin_lacks(const struct scenario *);

/* Several in one file, of which SPIN tries all: it tells "outcome NUMBER TEXT" as in outcome.h. */
void spin_print(FILE *, const struct scenario *, size_t n);

#endif
