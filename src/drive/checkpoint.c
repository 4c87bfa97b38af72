#include "drive/checkpoint.h"

#include <string.h>

#include "base/die.h"
#include "call/window.h"

/* ---- receives that may bring this or that ---- */

/* What a window answers depends on who came first there. */
static bool may_bring_this_or_that(const struct op *op)
{
    return op->kind == OP_RECV && (op->peer == RANK_ANY || op->context == KEEPER_CONTEXT);
}

static void note_wild(struct checkpoints *checkpoints, const struct op *op)
{
    if (may_bring_this_or_that(op) && op->request)
        vec_push(&checkpoints->wild, op->request);
}

static void forget_wild(struct checkpoints *checkpoints, uint32_t request)
{
    for (size_t i = 0; i < checkpoints->wild.n; i++)
        if (checkpoints->wild.at[i] == request) {
            checkpoints->wild.at[i] = vec_last(&checkpoints->wild);
            checkpoints->wild.n--;
            return;
        }
}

/* Those of the parent that the answer has not completed, and new ones.  Most often that is what the parent has. */
static void find_wild(struct checkpoints *checkpoints, struct checkpoint *checkpoint, const struct segment *segment)
{
    static const struct checkpoint none;
    const struct checkpoint *from = checkpoint->parent ? checkpoint_of(checkpoints, checkpoint->parent) : &none;
    const struct op *op = segment->ops;
    vec_clear(&checkpoints->wild);
    for (uint32_t i = 0; i < from->wilds; i++)
        vec_push(&checkpoints->wild, from->wild[i]);
    for (uint32_t i = 0; checkpoint->ret && i < checkpoint->ret->items; i++)
        forget_wild(checkpoints, checkpoint->ret->item[i].request);
    for (uint32_t i = 0; i < segment->count; i++, op = op_next(op))
        note_wild(checkpoints, op);
    size_t n = checkpoints->wild.n, bytes = n * sizeof *checkpoint->wild;
    bool same = n == from->wilds && (!n || memcmp(checkpoints->wild.at, from->wild, bytes) == 0);
    checkpoint->wilds = (uint32_t)n;
    checkpoint->wild = same ? from->wild : hoard_copy(&checkpoints->payloads.hoard, checkpoints->wild.at, bytes);
}

static bool is_wild(const struct checkpoint *checkpoint, uint32_t request)
{
    for (uint32_t i = 0; i < checkpoint->wilds; i++)
        if (checkpoint->wild[i] == request)
            return true;
    return false;
}

/* ---- nodes ---- */

void checkpoints_release(struct checkpoints *checkpoints)
{
    payloads_release(&checkpoints->payloads);
    bulk_release(&checkpoints->at);
    vec_release(&checkpoints->wild);
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

struct checkpoint *checkpoints_add(struct checkpoints *checkpoints, rank_t rank, node_id from, const struct ret *ret,
                                   node_id to)
{
    while (checkpoints->at.n <= to)
        bulk_push(&checkpoints->at, (struct checkpoint){.animal = -1});
    struct checkpoint *checkpoint = checkpoint_of(checkpoints, to);
    *checkpoint = (struct checkpoint){.rank = rank, .parent = from, .ret = ret, .animal = -1};
    if (from)
        checkpoint_of(checkpoints, from)->answers++;
    return checkpoint;
}

void checkpoint_learn(struct checkpoints *checkpoints, struct checkpoint *checkpoint, const struct segment *segment)
{
    const struct op *op = segment->ops;
    find_wild(checkpoints, checkpoint, segment);
    checkpoint->sum = segment_sum(segment);
    checkpoint->shape = segment_shape(segment);
    checkpoint->code = segment->code;
    checkpoint->ended = segment->end != SEGMENT_CALL;
    for (uint32_t i = 0; i < segment->count; i++, op = op_next(op)) {
        checkpoint->brings += op->payload != 0;
        if (segment->end == SEGMENT_CALL && i + 1 == segment->count) {
            checkpoint->open = is_open(checkpoint, op);
            checkpoint->polls = op_is_poll(op);
        }
    }
}

void checkpoint_keep(struct checkpoints *checkpoints, struct checkpoint *checkpoint, const struct reading *reading)
{
    if (checkpoint->brings != reading->payload.n)
        BUG("%zu payloads where there are %u", reading->payload.n, checkpoint->brings);
    if (checkpoint->brings)
        checkpoint->payload = payloads_keep(&checkpoints->payloads, reading->payload.at, checkpoint->brings);
}

void checkpoint_drop(struct checkpoints *checkpoints, struct checkpoint *checkpoint)
{
    if (checkpoint->payload)
        payloads_drop(&checkpoints->payloads, checkpoint->payload, checkpoint->brings);
    checkpoint->payload = NULL;
}

void checkpoint_note_calls(struct checkpoints *checkpoints, struct checkpoint *checkpoint, const struct reading *reading)
{
    struct hoard *hoard = &checkpoints->payloads.hoard;
    checkpoint->calls = (uint32_t)reading->called.n;
    checkpoint->touches = (uint32_t)reading->touched.n;
    checkpoint->is_looked_at = reading->touches && !reading->touched_unseen;
    checkpoint->is_untouched = checkpoint->is_looked_at && !reading->touched_any;
    if (checkpoint->calls)
        checkpoint->called = hoard_copy(hoard, reading->called.at, checkpoint->calls * sizeof *checkpoint->called);
    if (checkpoint->touches)
        checkpoint->touched = hoard_copy(hoard, reading->touched.at, checkpoint->touches * sizeof *checkpoint->touched);
}

uint64_t payload_offset(struct checkpoints *checkpoints, uint64_t name)
{
    const struct checkpoint *checkpoint = checkpoint_of(checkpoints, payload_node(name));
    if (!checkpoint->payload || payload_number(name) >= checkpoint->brings)
        BUG("payload %zu of rank %d is not there", payload_number(name), checkpoint->rank);
    return payloads_offset(&checkpoints->payloads, &checkpoint->payload[payload_number(name)]);
}
