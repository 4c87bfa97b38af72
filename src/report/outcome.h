/*
 * outcome -- how a run ended, told to the person who started it.
 */
#ifndef REPORT_OUTCOME_H
#define REPORT_OUTCOME_H

#include <stdio.h>

#include "outcome/outcome.h"
#include "outcome/final_state.h"
#include "report/symbol.h"

/* " if MPI buffers less" and the like; "": it needs nothing of the kind. */
const char *outcome_condition(const struct outcome *);

/* While the ranks still exist: their code is looked up in them.  Nothing for a run that ended well. */
void report_outcome(FILE *, const struct final_state *, const struct outcome *, struct symbols *);

#endif
