/*
 * completeness_words -- what is complete, in a sentence and in brief.
 */
#ifndef WORDS_COMPLETENESS_WORDS_H
#define WORDS_COMPLETENESS_WORDS_H

#include <stdio.h>

#include "outcome/completeness.h"

/* "every order of messages was looked at, with polls that say no only where no yes can come"; owned by the caller; NULL: nothing is worth it. */
char *completeness_sentence(const struct completeness *);

/* "polls late at most once"; the same. */
char *completeness_brief(const struct completeness *);

#endif
