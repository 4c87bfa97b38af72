/*
 * Two nodes are one if they are of the same rank, have the same segment, and the same
 * answers lead them to nodes that are one: the coarsest such partition.  It is found by
 * refining: nodes are told apart by their segments first, then by where they lead, until
 * nothing is told apart any more.
 */
#include "model/fold.h"

#include "base/hash.h"

/* By node: the number of its class, and how many there are. */
struct partition {
    uint32_t *class; /* owns */
    uint32_t count;
};

static void stir_ops(struct map_key *sum, const struct model *model, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct model_op *op = &model->op.at[first + i];
        hash_stir(sum, op->op->place);
        hash_stir(sum, op_identity(op->op, op->contents));
    }
}

static struct map_key segment_key(const struct model *model, uint32_t node)
{
    const struct model_node *n = &model->node.at[node];
    struct map_key sum = HASH_START;
    hash_stir(&sum, (uint64_t)n->rank << 32 | n->count);
    hash_stir(&sum, (uint64_t)n->end << 33 | (uint64_t)n->round << 32 | (uint32_t)n->code);
    stir_ops(&sum, model, n->first_op, n->count);
    stir_ops(&sum, model, n->first_poll, n->polls);
    return sum;
}

/* Which call of the node it answers, with what, and where that leads. */
static struct map_key edge_key(const struct model *model, const struct model_edge *edge, const uint32_t *class)
{
    struct map_key sum = answer_key(0, edge->ret);
    stir_ops(&sum, model, edge->call, 1);
    hash_stir(&sum, class[edge->to]);
    return sum;
}

static uint32_t class_of(struct map *classes, struct map_key key)
{
    uint32_t class = map_find(classes, key, 0);
    if (!class)
        map_put(classes, key, class = (uint32_t)classes->n + 1);
    return class;
}

/* The next finer partition; at first, with `before` empty, by segments. */
static struct partition refine(const struct model *model, const struct partition *before)
{
    struct partition after = {.class = xcalloc(model->node.n, sizeof *after.class)};
    struct map classes = {0};
    for (uint32_t i = 1; i < model->node.n; i++) {
        const struct model_node *node = &model->node.at[i];
        struct map_key key = segment_key(model, i);
        for (size_t k = 0; k < node->edge.n && before->class; k++)
            hash_add(&key, edge_key(model, &node->edge.at[k], before->class));
        if (before->class)
            hash_stir(&key, before->class[i]);
        after.class[i] = class_of(&classes, key);
    }
    after.count = (uint32_t)classes.n;
    map_release(&classes);
    return after;
}

static struct partition coarsest(const struct model *model)
{
    struct partition before = {0}, after = refine(model, &before);
    while (after.count > before.count) {
        free(before.class);
        before = after;
        after = refine(model, &before);
    }
    free(before.class);
    return after;
}

void model_fold(struct model *model)
{
    struct partition partition = coarsest(model);
    uint32_t *number = xcalloc((size_t)partition.count + 1, sizeof *number);
    uint32_t kept = 1;
    for (uint32_t i = 1; i < model->node.n; i++) {
        uint32_t *node = &number[partition.class[i]];
        if (*node) {
            vec_release(&model->node.at[i].edge);
            continue;
        }
        *node = kept;
        model->node.at[kept++] = model->node.at[i];
    }
    model->node.n = kept;
    for (uint32_t i = 1; i < model->op.n; i++)
        model->op.at[i].node = number[partition.class[model->op.at[i].node]];
    for (uint32_t i = 1; i < kept; i++)
        for (size_t k = 0; k < model->node.at[i].edge.n; k++)
            model->node.at[i].edge.at[k].to = number[partition.class[model->node.at[i].edge.at[k].to]];
    for (int r = 0; r < model->ranks; r++)
        model->start[r] = number[partition.class[model->start[r]]];
    for (size_t i = 0; i < model->outcome.n; i++)
        for (int r = 0; r < model->ranks; r++) {
            uint32_t *node = &model->outcome.at[i].stand[r].node;
            *node = number[partition.class[*node]];
        }
    free(number);
    free(partition.class);
}
