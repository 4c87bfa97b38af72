/*
 * Which operation a request is follows from the way to a node.  Along every edge go the
 * bindings at the end of its node, less what the answer completed, until nothing is new.
 */
#include "model/model.h"

#include <string.h>

struct binding {
    uint32_t request, op;
};
typedef VEC(struct binding) bindings_t;

struct bindings {
    const struct model *model;
    bindings_t *at; /* owns; by node: at its beginning */
    VEC(uint32_t) found;
};

static bool has_binding(const bindings_t *bindings, struct binding b)
{
    for (size_t i = 0; i < bindings->n; i++)
        if (bindings->at[i].request == b.request && bindings->at[i].op == b.op)
            return true;
    return false;
}

static void drop(bindings_t *bindings, uint32_t request)
{
    size_t kept = 0;
    for (size_t i = 0; i < bindings->n; i++)
        if (bindings->at[i].request != request)
            bindings->at[kept++] = bindings->at[i];
    bindings->n = kept;
}

/* Past the first operations of a node. */
static void go_through(const struct model *model, const struct model_node *node, uint32_t count, bindings_t *bindings)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct op *op = model->op.at[node->first_op + i].op;
        bool posts = op_posts(op) || op->kind == OP_DONE;
        if (posts && op->request) {
            drop(bindings, op->request);
            vec_push(bindings, (struct binding){op->request, node->first_op + i});
        } else if (op->kind == OP_FREE) {
            drop(bindings, op->request);
        } else if (op->kind == OP_WAIT && op->flags & OPF_WENT_ON) {
            for (uint32_t k = 0; k < op->items; k++)
                drop(bindings, ((const uint32_t *)op_tail(op))[k]);
        }
    }
}

/* What the answer completed is over; a message that a probe took is held by its request. */
static bool cross(const struct model *model, const struct model_edge *edge, const bindings_t *before, bindings_t *to)
{
    const struct op *call = model->op.at[edge->call].op;
    bindings_t after;
    bool grew = false;
    vec_copy(&after, before);
    for (uint32_t i = 0; i < edge->ret->items; i++)
        if (edge->ret->item[i].request)
            drop(&after, edge->ret->item[i].request);
    if (call->flags & OPF_TAKE && edge->ret->flag)
        vec_push(&after, (struct binding){call->request, edge->call});
    for (size_t i = 0; i < after.n; i++)
        if (!has_binding(to, after.at[i])) {
            vec_push(to, after.at[i]);
            grew = true;
        }
    vec_release(&after);
    return grew;
}

/* Whether a node told one below it something new. */
static bool spread_bindings(struct bindings *b, uint32_t number)
{
    const struct model_node *node = &b->model->node.at[number];
    bindings_t after;
    bool grew = false;
    vec_copy(&after, &b->at[number]);
    go_through(b->model, node, node->count, &after);
    for (size_t i = 0; i < node->edge.n; i++)
        grew |= cross(b->model, &node->edge.at[i], &after, &b->at[node->edge.at[i].to]);
    vec_release(&after);
    return grew;
}

struct bindings *bindings_new(const struct model *model)
{
    struct bindings *b = xcalloc(1, sizeof *b);
    bool grew = true;
    b->model = model;
    b->at = xcalloc(model->node.n, sizeof *b->at);
    while (grew) {
        grew = false;
        for (uint32_t i = 1; i < model->node.n; i++)
            grew |= spread_bindings(b, i);
    }
    return b;
}

void bindings_free(struct bindings *b)
{
    for (size_t i = 0; i < b->model->node.n; i++)
        vec_release(&b->at[i]);
    vec_release(&b->found);
    free(b->at);
    free(b);
}

size_t bindings_find(struct bindings *b, uint32_t node, uint32_t count, uint32_t request, const uint32_t **ops)
{
    bindings_t now;
    vec_copy(&now, &b->at[node]);
    go_through(b->model, &b->model->node.at[node], count, &now);
    vec_clear(&b->found);
    for (size_t i = 0; i < now.n; i++)
        if (now.at[i].request == request)
            vec_push(&b->found, now.at[i].op);
    vec_release(&now);
    *ops = b->found.at;
    return b->found.n;
}
