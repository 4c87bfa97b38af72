/*
 * evidence -- how a run ended, told to the person who started it.
 */
#ifndef DIAGNOSIS_EVIDENCE_H
#define DIAGNOSIS_EVIDENCE_H

#include <stdio.h>

#include "outcome/final_state.h"
#include "outcome/outcome.h"
#include "symbols/symbol.h"

/* " if MPI buffers less" and the like; "": it needs nothing of the kind. */
const char *evidence_condition(const struct outcome *);

/* While the ranks still exist: their code is looked up in them.  Nothing for a run that ended well. */
void evidence_put(FILE *, const struct final_state *, const struct outcome *, struct symbols *);

#endif
