/*
 * run_chart_maker -- a run of the search, written down operation by operation.
 */
#ifndef DIAGNOSIS_RUN_CHART_MAKER_H
#define DIAGNOSIS_RUN_CHART_MAKER_H

#include "diagnosis/run_view.h"
#include "result/run_chart.h"
#include "symbols/symbol.h"

/* The run, or without one the account, of `view`.  Owned by the caller. */
struct run_chart run_chart_make(struct run_view *, struct symbols *);

#endif
