/*
 * play_absentees -- what `run` says of collectives that some members never called.
 *
 * The search has a check for it (src/check/absentees.h); here it is one run, and it is over.
 */
#ifndef DIAGNOSIS_PLAY_ABSENTEES_H
#define DIAGNOSIS_PLAY_ABSENTEES_H

#include "outcome/final_state.h"
#include "result/result.h"
#include "symbols/symbol.h"

typedef VEC(struct finding) findings_t;

/* Adds a finding for each, if every rank has called MPI_Finalize.  While the ranks' code can be looked up. */
void play_absentees_add(const struct final_state *, struct symbols *, findings_t *);

#endif
