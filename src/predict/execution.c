#include "predict/execution.h"

#include <stdlib.h>

#include "base/die.h"

void execution_init(struct execution *e, int ranks)
{
    *e = (struct execution){.ranks = ranks, .rank = xcalloc((size_t)ranks, sizeof *e->rank)};
}

void execution_release(struct execution *e)
{
    for (int r = 0; r < e->ranks; r++) {
        for (size_t i = 0; i < e->rank[r].op.n; i++)
            free((void *)e->rank[r].op.at[i].op);
        vec_release(&e->rank[r].op);
        vec_release(&e->rank[r].requests);
    }
    for (size_t i = 0; i < e->places.n; i++)
        free(e->places.at[i]);
    vec_release(&e->places);
    map_release(&e->place_of);
    free(e->rank);
    free(e->program);
}

uint32_t execution_add(struct execution *e, rank_t r, const struct op *op)
{
    struct execution_rank *rank = &e->rank[r];
    vec_push(&rank->op, (struct execution_op){.op = xmemdup(op, 1, op->size)});
    return (uint32_t)rank->op.n - 1;
}

static struct execution_op *execution_op_at(struct execution *e, rank_t r, uint32_t index)
{
    if (r < 0 || r >= e->ranks || index >= e->rank[r].op.n)
        BUG("no operation %d.%u", r, index);
    return &e->rank[r].op.at[index];
}

void execution_return(struct execution *e, rank_t r, uint32_t index, bool flag, const uint32_t *request,
                      uint32_t requests, rank_t source, int32_t tag)
{
    struct execution_op *op = execution_op_at(e, r, index);
    op->returned = true;
    op->flag = flag;
    op->source = source;
    op->tag = tag;
    op->first = (uint32_t)e->rank[r].requests.n;
    op->completed = requests;
    for (uint32_t i = 0; i < requests; i++)
        vec_push(&e->rank[r].requests, request[i]);
}

void execution_match(struct execution *e, rank_t r, uint32_t index)
{
    execution_op_at(e, r, index)->matched = true;
}

void execution_escape(struct execution *e, rank_t r, uint32_t index)
{
    execution_op_at(e, r, index)->escaped = true;
}

const char *execution_place(const struct execution *e, rank_t r, uint64_t address)
{
    uint32_t index;
    return map_get(&e->place_of, map_key2((uint64_t)r, address), &index) ? e->places.at[index] : NULL;
}

void execution_set_place(struct execution *e, rank_t r, uint64_t address, const char *text)
{
    map_put(&e->place_of, map_key2((uint64_t)r, address), (uint32_t)e->places.n);
    vec_push(&e->places, xstrdup(text));
}
