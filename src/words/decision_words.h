/*
 * decision_words -- what came of a decision, in words.
 */
#ifndef WORDS_DECISION_WORDS_H
#define WORDS_DECISION_WORDS_H

#include <stdio.h>

#include "outcome/decision.h"

/* "receives the message from rank 2"; by the call that was decided. */
void decision_words_put(FILE *, const struct op *, const struct decision *);

/* "flag = 0": what a poll returns if nothing has come. */
const char *decision_words_no(const struct op *poll);

#endif
