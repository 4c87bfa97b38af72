/*
 * kinds -- what there is to be found, by name (findings.table).
 */
#ifndef RESULT_KINDS_H
#define RESULT_KINDS_H

#include <stdbool.h>

#include "call/findings.h"

/* Whether some kind fits a pattern, in which `*` is any characters. */
bool kind_exists(const char *pattern);

/* NULL: nobody finds that, at least not today. */
const struct finding_kind *kind_find(const char *name);

/* How bad findings of a kind are, unless who finds one knows better: "error", "warning" or "note". */
const char *kind_severity(const char *name);

bool pattern_fits(const char *pattern, const char *text);

#endif
