/*
 * execution -- a run of the search, written down operation by operation.
 */
#ifndef REPORT_EXECUTION_H
#define REPORT_EXECUTION_H

#include "report/explored.h"
#include "report/symbol.h"
#include "result/execution.h"

/* The run, or without one the account, of `e`.  Owned by the caller. */
struct execution execution_make(struct explored *, struct symbols *);

#endif
