/*
 * decided -- what came of a decision, in words.
 */
#ifndef REPORT_DECIDED_H
#define REPORT_DECIDED_H

#include <stdio.h>

#include "explore/explore.h"

/* "takes the message of rank 2"; by the call that was decided. */
void decided_tell(FILE *, const struct op *, const struct decision *);

/* "flag = 0": what a poll returns if nothing has come. */
const char *decided_no(const struct op *poll);

#endif
