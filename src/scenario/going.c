#include "scenario/going.h"

#include <string.h>

void emission_release(struct emission *out)
{
    vec_release(&out->ops);
    vec_release(&out->contents);
    window_keepers_release(&out->keepers);
}

struct op *emit_op(struct going *g, const struct op *op, const void *tail, size_t size)
{
    size_t whole = sizeof *op + op_round(size);
    vec_reserve(&g->out->ops, whole);
    struct op *at = (struct op *)(g->out->ops.at + g->out->ops.n);
    memset(at, 0, whole);
    *at = *op;
    at->size = (uint32_t)whole;
    if (size)
        memcpy(at + 1, tail, size);
    g->out->ops.n += whole;
    g->out->count++;
    return at;
}

void emit_context(struct going *g, context_t context, const rank_t *member, size_t members)
{
    struct op op = {.kind = OP_CONTEXT, .context = context};
    union {
        struct op_group group;
        char room[sizeof(struct op_group) + SCENARIO_RANKS * sizeof(rank_t)];
    } tail = {.group = {.members = (uint32_t)members, .first_group = (uint32_t)members}};
    memcpy(tail.group.member, member, members * sizeof *member);
    emit_op(g, &op, &tail, sizeof tail.group + members * sizeof *member);
}

void emit_content(struct going *g, int32_t value)
{
    vec_push(&g->out->contents, (uint64_t)(uint32_t)value + 1);
}

void emit_wait_for(struct going *g, const struct op *wait, const uint32_t *numbers, uint32_t n)
{
    struct op op = *wait;
    op.items = n;
    emit_op(g, &op, numbers, n * sizeof *numbers);
}
