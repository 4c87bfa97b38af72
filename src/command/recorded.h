/*
 * recorded -- a run of the search as an execution record (trace/trace.h), as tourney run writes it.
 */
#ifndef COMMAND_RECORDED_H
#define COMMAND_RECORDED_H

#include "outcome/end.h"
#include "report/explored.h"
#include "report/symbol.h"
#include "trace/trace.h"

/* The run that is being visited; -1 with errno: it cannot be written. */
int recorded_write(const char *path, const struct trace_head *, struct explored *, struct symbols *)
    __attribute__((warn_unused_result));

/* How records tell it. */
enum trace_end_kind recorded_end(enum run_end);

#endif
