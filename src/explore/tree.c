#include "explore/tree.h"

#include <string.h>

#include "base/die.h"

void tree_init(struct tree *tree, const struct runner *runner)
{
    *tree = (struct tree){.runner = *runner};
    vec_push(&tree->node, (struct node){.rank = RANK_NONE});
    vec_push(&tree->op, (struct tree_op){0});
}

static void ret_free(struct ret *ret)
{
    if (!ret)
        return;
    free((struct answer_item *)ret->item);
    free((struct answer_piece *)ret->piece);
    free(ret);
}

void tree_release(struct tree *tree)
{
    for (size_t i = 1; i < tree->node.n; i++) {
        struct node *node = &tree->node.at[i];

        free(node->ops);
        free(node->contents);
        ret_free(node->ret);
        vec_release(&node->below);
    }
    vec_release(&tree->node);
    vec_release(&tree->op);
    map_release(&tree->edges);
    map_release(&tree->mailboxes);
}

static struct ret *ret_copy(const struct ret *ret)
{
    uint32_t pieces = 0;
    struct ret *copy;

    if (!ret)
        return NULL;
    for (uint32_t i = 0; i < ret->items; i++)
        pieces += ret->item[i].pieces;
    copy = xmemdup(ret, 1, sizeof *ret);
    copy->item = xmemdup(ret->item, ret->items, sizeof *ret->item);
    copy->piece = xmemdup(ret->piece, pieces, sizeof *ret->piece);
    return copy;
}

/* Two sums that mix differently: 128 bits, so that no two of 2^40 will ever be taken for one. */
static void stir(struct map_key *sum, uint64_t value)
{
    sum->high = (sum->high ^ value) * 0x9e3779b97f4a7c15;
    sum->high ^= sum->high >> 29;
    sum->low = (sum->low + value) * 0xd6e8feb86659fd93;
    sum->low ^= sum->low >> 32;
}

static void stir_piece(struct map_key *sum, const struct answer_piece *piece)
{
    stir(sum, piece->from);
    stir(sum, piece->slice);
    if (piece->slice == NO_SLICE)
        return;
    stir(sum, op_coll_slices(op_tail(piece->part))[piece->slice].bytes);
    stir(sum, piece->content);
}

static struct map_key edge_key(node_id node, const struct ret *ret)
{
    struct map_key sum = {0x243f6a8885a308d3, 0x13198a2e03707344};

    stir(&sum, node);
    stir(&sum, (uint64_t)ret->flag << 32 | ret->items);
    for (uint32_t i = 0; i < ret->items; i++) {
        const struct answer_item *item = &ret->item[i];

        stir(&sum, (uint64_t)item->request << 32 | item->flags);
        stir(&sum, (uint64_t)(uint32_t)item->source << 32 | item->pieces);
        if (item->message) {
            stir(&sum, (uint32_t)item->message->tag);
            stir(&sum, item->message->bytes);
            stir(&sum, item->content);
        }
        for (uint32_t k = 0; k < item->pieces; k++)
            stir_piece(&sum, &ret->piece[item->first_piece + k]);
    }
    return sum;
}

static struct map_key mailbox_key(rank_t rank, context_t context)
{
    return map_key2((uint64_t)(uint32_t)rank + 1, context);
}

uint32_t tree_mailbox(struct tree *tree, rank_t rank, context_t context)
{
    uint32_t mailbox = map_find(&tree->mailboxes, mailbox_key(rank, context), 0);

    if (!mailbox) {
        mailbox = (uint32_t)tree->mailboxes.n + 1;
        map_put(&tree->mailboxes, mailbox_key(rank, context), mailbox);
    }
    return mailbox;
}

static struct reach *find_reach(const struct node *node, uint32_t mailbox)
{
    for (size_t i = 0; i < node->below.n; i++)
        if (node->below.at[i].mailbox == mailbox)
            return &node->below.at[i];
    return NULL;
}

/* What a node reaches, all nodes above it reach: so the first that knows ends the walk. */
static void tell_above(struct tree *tree, node_id id, uint32_t mailbox, uint64_t tags)
{
    for (; id; id = tree->node.at[id].parent) {
        struct node *node = &tree->node.at[id];
        struct reach *reach = find_reach(node, mailbox);

        if (!reach)
            vec_push(&node->below, (struct reach){mailbox, tags});
        else if ((reach->tags & tags) == tags)
            return;
        else
            reach->tags |= tags;
    }
}

bool tree_sends_below(const struct tree *tree, node_id id, uint32_t mailbox, uint64_t tags)
{
    const struct reach *reach = find_reach(&tree->node.at[id], mailbox);

    return reach && reach->tags & tags;
}

static uint32_t contents_in(const struct op *op)
{
    if (op->kind == OP_SEND)
        return 1;
    return op->kind == OP_COLL ? ((const struct op_coll *)op_tail(op))->slices : 0;
}

static void file_ops(struct tree *tree, node_id id)
{
    struct node *node = &tree->node.at[id];
    const uint64_t *content = node->contents;
    const struct op *op = node->ops;

    node->first_op = (uint32_t)tree->op.n;
    for (uint32_t i = 0; i < node->count; i++, op = op_next(op)) {
        vec_push(&tree->op, (struct tree_op){op, content, id});
        content += contents_in(op);
        node->started |= op->kind == OP_INIT;
        node->finished |= op->kind == OP_FINALIZE;
        if (op->kind == OP_SEND)
            tell_above(tree, node->parent, tree_mailbox(tree, op->peer, op->context), tag_set(op->tag));
    }
}

static void take_in(struct tree *tree, node_id id, const struct segment *segment)
{
    struct node *node = &tree->node.at[id];
    const struct op *op = segment->ops;
    size_t contents = 0;

    for (uint32_t i = 0; i < segment->count; i++, op = op_next(op))
        contents += contents_in(op);
    if (segment->end == SEGMENT_CALL && segment->count == 0)
        BUG("rank %d wants an answer to nothing", node->rank);
    node->count = segment->count;
    node->end = (uint8_t)segment->end;
    node->code = segment->code;
    if (segment->count)
        node->ops = xmemdup(segment->ops, (size_t)((const char *)op - (const char *)segment->ops), 1);
    node->contents = xmemdup(segment->contents, contents, sizeof *node->contents);
    file_ops(tree, id);
}

static node_id grow(struct tree *tree, rank_t rank, node_id parent, const struct ret *ret)
{
    node_id id = (node_id)tree->node.n;
    struct segment segment = {0};
    struct node node = {.rank = rank, .parent = parent};

    if (tree->failed)
        return NODE_NONE;
    node.ret = ret_copy(ret);
    node.started = tree->node.at[parent].started;
    node.finished = tree->node.at[parent].finished;
    vec_push(&tree->node, node);
    tree->segments++;
    if (tree->runner.run(tree->runner.data, rank, parent, node.ret, id, &segment) < 0) {
        tree->failed = true;
        return NODE_NONE;
    }
    take_in(tree, id, &segment);
    return id;
}

static node_id obtain(struct tree *tree, rank_t rank, node_id parent, const struct ret *ret, struct map_key key)
{
    node_id id = map_find(&tree->edges, key, NODE_NONE);

    if (!id) {
        id = grow(tree, rank, parent, ret);
        if (id)
            map_put(&tree->edges, key, id);
    }
    return id;
}

node_id tree_begin(struct tree *tree, rank_t rank)
{
    return obtain(tree, rank, NODE_NONE, NULL, map_key2(0, (uint64_t)rank));
}

node_id tree_child(struct tree *tree, node_id id, const struct ret *ret)
{
    return obtain(tree, tree->node.at[id].rank, id, ret, edge_key(id, ret));
}
