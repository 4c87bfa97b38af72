/*
 * dump -- the two forms in which an execution record is printed.
 *
 * Both stream: an execution may be longer than memory is large.  They return
 * what ended the reading, TRACE_EOF or TRACE_TORN, and leave errors of `out` to
 * the caller.
 */
#ifndef TRACE_DUMP_H
#define TRACE_DUMP_H

#include <stdio.h>

#include "trace/trace.h"

/* One object with a list of records, valid JSON even if the file is torn. */
enum trace_record_kind dump_json(struct trace_reader *, FILE *out);

/*
 * A line per operation, with its match, its answer and its place.  These come
 * later in the file than the operation: `ahead` is a second reader of the same
 * file that is read first, to its end.
 */
enum trace_record_kind dump_text(struct trace_reader *, struct trace_reader *ahead, FILE *out);

#endif
