/*
 * shown_run -- a run of the search, written down operation by operation.
 */
#ifndef REPORT_SHOWN_RUN_H
#define REPORT_SHOWN_RUN_H

#include "report/explored.h"
#include "report/symbol.h"
#include "result/shown_run.h"

/* The run, or without one the account, of `e`.  Owned by the caller. */
struct shown_run shown_run_make(struct explored *, struct symbols *);

#endif
