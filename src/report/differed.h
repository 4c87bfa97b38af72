/*
 * differed -- what a rank did the first time, and what when it was run again.
 */
#ifndef REPORT_DIFFERED_H
#define REPORT_DIFFERED_H

#include <stdio.h>

#include "report/explored.h"
#include "report/symbol.h"

/* Two lines: the first call, or end, that was not the same.  Nothing, if the drive knows of no difference. */
void differed_tell(FILE *, struct explored *, struct symbols *);

/* Whose doing the difference is; RANK_NONE: there is none. */
rank_t differed_rank(const struct explored *);

#endif
