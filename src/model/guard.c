#include "model/guard.h"

rank_t model_rank(const struct model *model, uint32_t op)
{
    return model->node.at[model->op.at[op].node].rank;
}

bool same_collective(const struct op *a, const struct op *b)
{
    return a->kind == OP_COLL && b->kind == OP_COLL && a->context == b->context && a->turn == b->turn;
}

static bool has_number(const numbers_t *numbers, uint32_t number)
{
    for (size_t i = 0; i < numbers->n; i++)
        if (numbers->at[i] == number)
            return true;
    return false;
}

void guard_seen(const struct model *model, const struct answer_item *item, numbers_t *messages)
{
    vec_clear(messages);
    for (uint32_t i = 1; i < model->op.n; i++) {
        const struct model_op *op = &model->op.at[i];
        if (op->op->kind == OP_SEND && model_rank(model, i) == item->source && op->op->tag == item->message->tag &&
            op->op->bytes == item->message->bytes && !has_number(messages, op->message))
            vec_push(messages, op->message);
    }
}

rank_t guard_member(const struct model *model, uint32_t op, const struct answer_piece *piece)
{
    return model->context.at[model_context(model, model->op.at[op].op->context)].group->member[piece->from];
}

/* What a member's part would bring to a position is this piece. */
static bool brings(const struct model_op *part, uint32_t position, uint32_t nth, const struct answer_piece *piece)
{
    uint32_t slice = answer_slice(part->op, position, nth);
    if (slice != piece->slice || slice == NO_SLICE)
        return slice == piece->slice;
    return part->contents[slice] == piece->content && op_coll_slices(op_tail(part->op))[slice].bytes ==
                                                          op_coll_slices(op_tail(piece->part))[slice].bytes;
}

bool guard_part(const struct model *model, uint32_t op, const struct ret *ret, const struct answer_item *item,
                uint32_t i, numbers_t *parts)
{
    const struct answer_piece *piece = ret->piece + item->first_piece;
    const struct op *mine = model->op.at[op].op;
    uint32_t position = model_position(model, model_context(model, mine->context), model_rank(model, op)), nth = 0;
    rank_t member = guard_member(model, op, &piece[i]);
    bool all = true;
    for (uint32_t k = 0; k < i; k++)
        nth += piece[k].from == piece[i].from;
    vec_clear(parts);
    for (uint32_t k = 1; k < model->op.n; k++) {
        if (!same_collective(model->op.at[k].op, mine) || model_rank(model, k) != member)
            continue;
        if (brings(&model->op.at[k], position, nth, &piece[i]))
            vec_push(parts, k);
        else
            all = false;
    }
    return !all;
}

/* A receive that was freed before it had matched brings its message with a later answer. */
char *guard_refusal(const struct model *model, struct bindings *bindings)
{
    for (uint32_t i = 1; i < model->node.n; i++) {
        const struct model_node *node = &model->node.at[i];
        for (size_t k = 0; k < node->edge.n; k++)
            for (uint32_t j = 0; j < node->edge.at[k].ret->items; j++) {
                const struct answer_item *item = &node->edge.at[k].ret->item[j];
                const uint32_t *op;
                if (!(item->flags & (ANSWERED_SEEN | ANSWERED_CHOSEN)) && !bindings_find(bindings, i, node->count, item->request, &op))
                    return xformat("rank %d frees the request of a receive and uses what it brings", node->rank);
            }
    }
    return NULL;
}
