#include "drive/checkpoint.h"

#include "base/die.h"
#include "call/window.h"

void checkpoint_release(struct checkpoint *checkpoint)
{
    free(checkpoint->payload);
    free(checkpoint->called);
    vec_release(&checkpoint->wild);
}

/* What a window answers depends on who came first there. */
static bool may_bring_this_or_that(const struct op *op)
{
    return op->kind == OP_RECV && (op->peer == RANK_ANY || op->context == KEEPER_CONTEXT);
}

static void note_wild(struct checkpoint *checkpoint, const struct op *op)
{
    if (may_bring_this_or_that(op) && op->request)
        vec_push(&checkpoint->wild, op->request);
}

static bool is_wild(const struct checkpoint *checkpoint, uint32_t request)
{
    for (size_t i = 0; i < checkpoint->wild.n; i++)
        if (checkpoint->wild.at[i] == request)
            return true;
    return false;
}

/* Whether MPI leaves open what the call returns. */
static bool is_open(const struct checkpoint *checkpoint, const struct op *call)
{
    if (op_is_poll(call) || call->flags & (OPF_ANY | OPF_SOME))
        return true;
    if (call->kind != OP_WAIT)
        return may_bring_this_or_that(call) || (call->kind == OP_PROBE && call->peer == RANK_ANY);
    const uint32_t *number = op_tail(call);
    for (uint32_t i = 0; i < call->items; i++)
        if (is_wild(checkpoint, number[i]))
            return true;
    return false;
}

static void forget_completed(struct checkpoint *checkpoint)
{
    const struct ret *ret = checkpoint->ret;
    for (uint32_t i = 0; i < ret->items; i++)
        for (size_t k = 0; k < checkpoint->wild.n; k++)
            if (checkpoint->wild.at[k] == ret->item[i].request) {
                checkpoint->wild.at[k] = vec_last(&checkpoint->wild);
                checkpoint->wild.n--;
                break;
            }
}

struct checkpoint *checkpoints_add(struct checkpoints *checkpoints, rank_t rank, node_id from, const struct ret *ret,
                                   node_id to)
{
    while (checkpoints->at.n <= to)
        vec_push(&checkpoints->at, (struct checkpoint){.animal = -1});
    struct checkpoint *checkpoint = checkpoint_of(checkpoints, to);
    *checkpoint = (struct checkpoint){.rank = rank, .parent = from, .ret = ret, .animal = -1};
    if (!from)
        return checkpoint;
    vec_copy(&checkpoint->wild, &checkpoint_of(checkpoints, from)->wild);
    forget_completed(checkpoint);
    checkpoint_of(checkpoints, from)->answers++;
    return checkpoint;
}

void checkpoint_learn(struct checkpoint *checkpoint, const struct segment *segment)
{
    const struct op *op = segment->ops;
    checkpoint->sum = segment_sum(segment);
    checkpoint->shape = segment_shape(segment);
    checkpoint->code = segment->code;
    checkpoint->ended = segment->end != SEGMENT_CALL;
    for (uint32_t i = 0; i < segment->count; i++, op = op_next(op)) {
        note_wild(checkpoint, op);
        checkpoint->brings += op->payload != 0;
        if (segment->end == SEGMENT_CALL && i + 1 == segment->count) {
            checkpoint->open = is_open(checkpoint, op);
            checkpoint->polls = op_is_poll(op);
        }
    }
}

void checkpoint_keep(struct checkpoint *checkpoint, const struct reading *reading)
{
    if (checkpoint->brings != reading->payload.n)
        BUG("%zu payloads where there are %u", reading->payload.n, checkpoint->brings);
    if (!checkpoint->brings)
        return;
    checkpoint->payload = xmemdup(reading->payload.at, checkpoint->brings, sizeof *checkpoint->payload);
}

void checkpoint_drop(struct checkpoint *checkpoint, struct memory *memory)
{
    for (uint32_t i = 0; checkpoint->payload && i < checkpoint->brings; i++)
        arena_give(memory, checkpoint->payload[i].at, checkpoint->payload[i].bytes);
    free(checkpoint->payload);
    checkpoint->payload = NULL;
}

void checkpoint_note_calls(struct checkpoint *checkpoint, const struct reading *reading)
{
    if (!reading->called.n)
        return;
    checkpoint->calls = (uint32_t)reading->called.n;
    checkpoint->called = xmemdup(reading->called.at, checkpoint->calls, sizeof *checkpoint->called);
}

uint64_t payload_offset(const struct checkpoints *checkpoints, uint64_t name)
{
    const struct checkpoint *checkpoint = checkpoint_of(checkpoints, payload_node(name));
    if (!checkpoint->payload || payload_number(name) >= checkpoint->brings)
        BUG("payload %zu of rank %d is not there", payload_number(name), checkpoint->rank);
    return checkpoint->payload[payload_number(name)].at;
}
