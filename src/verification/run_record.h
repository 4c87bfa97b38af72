/*
 * run_record -- a run of the search as an execution record (trace/trace.h), as tourney run writes it.
 */
#ifndef VERIFICATION_RUN_RECORD_H
#define VERIFICATION_RUN_RECORD_H

#include "diagnosis/run_view.h"
#include "outcome/end.h"
#include "symbols/symbol.h"
#include "trace/trace.h"

/* The run that is being visited; -1 with errno: it cannot be written. */
int run_record_write(const char *path, const struct trace_head *, struct run_view *, struct symbols *)
    __attribute__((warn_unused_result));

/* How records tell it. */
enum trace_end_kind run_record_end(enum run_end);

#endif
