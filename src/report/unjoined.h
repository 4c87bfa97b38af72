/*
 * unjoined -- what `run` says of collectives that some members never called.
 *
 * The search has a check for it (src/check/absent.h); here it is one run, and it is over.
 */
#ifndef REPORT_UNJOINED_H
#define REPORT_UNJOINED_H

#include "outcome/final_state.h"
#include "report/symbol.h"
#include "result/result.h"

typedef VEC(struct finding) findings_t;

/* Adds a finding for each, if every rank has called MPI_Finalize.  While the ranks' code can be looked up. */
void unjoined_add(const struct final_state *, struct symbols *, findings_t *);

#endif
