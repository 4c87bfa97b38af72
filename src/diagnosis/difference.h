/*
 * difference -- what a rank did the first time, and what when it was run again.
 */
#ifndef DIAGNOSIS_DIFFERENCE_H
#define DIAGNOSIS_DIFFERENCE_H

#include <stdio.h>

#include "diagnosis/run_view.h"
#include "symbols/symbol.h"

/* Two lines: the first call, or end, that was not the same.  Nothing, if the drive knows of no difference. */
void difference_tell(FILE *, struct run_view *, struct symbols *);

/* What was not the same when a rank was run again, though its calls were (drive_noise), in a sentence; NULL: nothing.  To be freed. */
char *difference_noise(struct run_view *, struct symbols *);

/* Whose doing the difference is; RANK_NONE: there is none. */
rank_t difference_rank(const struct run_view *);

#endif
