/*
 * kinds -- the names of all findings; doc/checks.md says what they mean.
 */
#ifndef RESULT_KINDS_H
#define RESULT_KINDS_H

#include <stdbool.h>

/* Whether some kind fits a pattern, in which `*` is any characters. */
bool kind_exists(const char *pattern);

bool pattern_fits(const char *pattern, const char *text);

#endif
