#include "explore/naming.h"

static bool gives_name(const struct op *op)
{
    return op->kind == OP_TYPE || op->kind == OP_CONTEXT_NAME;
}

static struct map_key local_name_key(rank_t r, enum op_kind kind, uint64_t number)
{
    return map_key2((uint64_t)r << 1 | (kind == OP_TYPE), number);
}

static void look_through(struct naming *naming, const struct tree *tree, const struct trail *trail, rank_t r)
{
    for (size_t n = 0; n < trail->n; n++) {
        const struct node *node = &tree->node.at[trail->node[n]];
        uint32_t count = n + 1 == trail->n ? trail->posted : node->count;

        for (uint32_t i = 0; i < count; i++) {
            const struct op *op = tree->op.at[node->first_op + i].op;

            if (!gives_name(op))
                continue;
            map_put(&naming->at, local_name_key(r, op->kind, op->kind == OP_TYPE ? op->type : op->context),
                    (uint32_t)naming->op.n);
            vec_push(&naming->op, op);
        }
    }
}

const struct op *naming_find(struct naming *naming, const struct tree *tree, const struct trail *trail, int ranks, rank_t r,
                             enum op_kind kind, uint64_t number)
{
    uint32_t at;

    for (rank_t i = 0; i < ranks && !naming->known; i++)
        look_through(naming, tree, &trail[i], i);
    naming->known = true;
    return map_get(&naming->at, local_name_key(r, kind, number), &at) ? naming->op.at[at] : NULL;
}

void naming_clear(struct naming *naming)
{
    if (!naming->known)
        return;
    naming_release(naming);
    *naming = (struct naming){0};
}

void naming_release(struct naming *naming)
{
    map_release(&naming->at);
    vec_release(&naming->op);
}
