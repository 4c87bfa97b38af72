#include "record.h"

#include <errno.h>
#include <string.h>

#include "base/die.h"
#include "predict/load.h"
#include "trace/trace.h"

static void write_return(struct trace_writer *writer, const struct story_op *o)
{
    uint32_t request[SCENARIO_REQUESTS];
    const struct ret *answer = o->answer;
    struct trace_return ret = {.op = {o->rank, o->number}, .request = request, .source = RANK_NONE};
    ret.flag = !o->said_no;
    for (uint32_t i = 0; answer && i < answer->items; i++)
        request[ret.requests++] = answer->item[i].request;
    if (answer && answer->items == 1 && answer->item[0].message) {
        ret.source = answer->item[0].source;
        ret.tag = answer->item[0].message->tag;
        ret.bytes = answer->item[0].message->bytes;
    }
    trace_return(writer, &ret);
}

void record_write(const char *path, const struct story *story)
{
    struct trace_head head = {.program = "scenario", .mpi = "none", .ranks = story->scenario->ranks, .buffering = "infinite"};
    struct trace_writer *writer = trace_create(path, &head);
    if (!writer)
        die("%s: %s", path, strerror(errno));
    for (size_t i = 0; i < story->op.n; i++) {
        const struct story_op *o = &story->op.at[i];
        trace_op(writer, (struct op_ref){o->rank, o->number}, o->op);
        if (o->ret)
            write_return(writer, o);
    }
    for (size_t i = 0; i < story->op.n; i++) {
        const struct story_op *send = &story->op.at[i];
        if (send->op->kind == OP_SEND && send->with) {
            const struct story_op *recv = &story->op.at[send->with - 1];
            trace_match(writer, (struct op_ref){send->rank, send->number}, (struct op_ref){recv->rank, recv->number});
        }
    }
    trace_end(writer, &(struct trace_end){.kind = TRACE_ENDED});
    if (trace_close(writer) != 0)
        die("%s: %s", path, strerror(errno));
}

enum predicted record_predict(const char *path, const struct scenario *scenario)
{
    struct prediction_options options = {.buffering = {.any = scenario->any_slack, .slack = scenario->slack}};
    struct execution execution;
    struct program program;
    char *error;
    if (execution_load(&execution, path, &error) != 0)
        die("%s: %s", path, error);
    program_init(&program, &execution, true);
    struct prediction got = predict(&program, &options);
    enum predicted verdict = got.verdict;
    prediction_release(&got);
    program_release(&program);
    execution_release(&execution);
    return verdict;
}
