#include "predict/load.h"

#include <stdio.h>
#include <stdlib.h>

#include "call/dynamic.h"
#include "call/sound.h"
#include "call/window.h"
#include "trace/trace.h"

/* Records count from 0 without gaps, as tourney writes them; others may come from anywhere. */
static bool is_op_recorded(const struct execution *e, struct op_ref ref)
{
    return ref.index < e->rank[ref.rank].op.n;
}

static const char *take_trace_record(struct execution *e, const struct trace_record *record)
{
    char text[512];
    switch (record->kind) {
    case TRACE_OP:
        if (record->ref.index != e->rank[record->ref.rank].op.n)
            return "the operations of a rank are not numbered one by one";
        if (!op_is_sound(record->op, record->op->size, e->ranks))
            return "an operation names a rank or a request that there cannot be";
        if (record->op->context == KEEPER_CONTEXT)
            return op_posts(record->op) && window_tag_is_of_file(record->op->tag)
                       ? "it has a shared file pointer, or files of its own, which prediction does not know"
                       : "it has one-sided communication, which prediction does not know";
        if (op_is_dynamic(record->op))
            return "it has dynamic processes, which prediction does not know";
        execution_add(e, record->ref.rank, record->op);
        return NULL;
    case TRACE_MATCH:
        if (!is_op_recorded(e, record->ref) || !is_op_recorded(e, record->other))
            return "a match names an operation that nobody posted";
        execution_match(e, record->ref.rank, (uint32_t)record->ref.index);
        execution_match(e, record->other.rank, (uint32_t)record->other.index);
        return NULL;
    case TRACE_RETURN:
        if (!is_op_recorded(e, record->ret.op))
            return "a call returned that nobody made";
        execution_return(e, record->ret.op.rank, (uint32_t)record->ret.op.index, record->ret.flag, record->ret.request,
                         record->ret.requests, record->ret.source, record->ret.tag);
        return NULL;
    case TRACE_PLACE:
        trace_place_format(&record->place, text, sizeof text);
        execution_set_place(e, record->place.rank, record->place.address, text);
        return NULL;
    case TRACE_END:
        for (int r = 0; r < e->ranks && record->end.kind == TRACE_ENDED; r++)
            e->rank[r].ended = true;
        return NULL;
    case TRACE_EOF:
    case TRACE_TORN:
        break;
    }
    return NULL;
}

int execution_load(struct execution *e, const char *path, char **error)
{
    const char *wrong = NULL;
    struct trace_record record;
    struct trace_reader *reader = trace_open(path, &wrong);
    if (!reader) {
        *error = xstrdup(wrong);
        return -1;
    }
    const struct trace_head *head = trace_reader_head(reader);
    execution_init(e, head->ranks);
    e->program = xstrdup(head->program);
    while (!wrong && trace_next(reader, &record) > TRACE_TORN)
        wrong = take_trace_record(e, &record);
    if (!wrong && record.kind == TRACE_TORN)
        wrong = trace_reader_torn(reader);
    for (int r = 0; r < e->ranks; r++)
        for (size_t i = 0; i < e->rank[r].op.n; i++)
            if (e->rank[r].op.at[i].op->kind == OP_FINALIZE)
                e->rank[r].ended = true;
    if (wrong) {
        *error = xstrdup(wrong);
        execution_release(e);
    }
    trace_reader_close(reader);
    return wrong ? -1 : 0;
}
