/*
 * invariants_tree -- parents, children and operations of nodes agree; merged nodes have one that stands for them; and
 * what a history sends is known above it, or the reduction would leave runs out (reduction.h).
 */
#include "explore/invariants.h"
#include "explore/tree.h"

static const struct node *node_at(const struct tree *tree, node_id id)
{
    INVARIANT(id > 0 && id < tree->node.n, "there is no node %u", id);
    return &tree->node.at[id];
}

/* The runner failed, or could not find out, and it may be asked for again. */
static bool is_void(const struct node *node)
{
    return node->count == 0 && (node->end == SEGMENT_CALL || node->end == SEGMENT_UNKNOWN);
}

static void check_same(const struct tree *tree, node_id id, const struct node *node)
{
    const struct node *same = node_at(tree, node->same);

    INVARIANT(node->same < id && same->rank == node->rank && !same->same,
              "node %u is the same as %u, which cannot stand for it", id, node->same);
    INVARIANT(node->count == 0 && !node->child && !node->more, "node %u is only a return, and something hangs on it",
              id);
}

/* From its parent it is found again by its return. */
static void check_edge(const struct tree *tree, node_id id, const struct node *node)
{
    struct map_key key = node->parent ? answer_key(node->parent, node->ret) : map_key2(0, (uint64_t)node->rank);
    bool found = node->parent && node_at(tree, node->parent)->child == id;

    if (is_void(node) && !node->same)
        return;
    if (node->same && !tree->merges)
        return;
    found = found || map_find(&tree->edges, key, NODE_NONE) == (node->same ? node->same : id);
    INVARIANT(found || node->end == SEGMENT_UNKNOWN, "node %u is not found from its parent %u", id, node->parent);
}

static void check_node_operations(const struct tree *tree, node_id id, const struct node *node)
{
    const struct op *op = node->ops;

    INVARIANT(node->first_op + (size_t)node->count <= tree->op.n, "the operations of node %u end behind the last", id);
    for (uint32_t i = 0; i < node->count; i++, op = op_next(op))
        INVARIANT(tree->op.at[node->first_op + i].node == id && tree->op.at[node->first_op + i].op == op,
                  "operation %u of node %u is another's", i, id);
}

/* Whatever the node sends, or is sent below it. */
static void check_reach(const struct tree *tree, node_id id, const struct node *node, node_id above)
{
    for (uint32_t mailbox = 1; mailbox <= tree->mailboxes.n; mailbox++) {
        uint64_t below = node->same ? 0 : reaches_below(tree, id, mailbox, UINT64_MAX);

        INVARIANT(reaches_below(tree, above, mailbox, below) == below,
                  "node %u does not know of a message that is sent below %u", above, id);
    }
    for (uint32_t i = 0; i < node->count; i++) {
        const struct op *op = tree->op.at[node->first_op + i].op;
        uint32_t mailbox = 0;

        if (op->kind == OP_SEND)
            INVARIANT(map_get(&tree->mailboxes, map_key2((uint64_t)(uint32_t)op->peer + 1, op->context), &mailbox) &&
                          reaches_below(tree, above, mailbox, tag_set(op->tag)),
                      "node %u does not know of a message that node %u sends", above, id);
    }
}

static uint32_t check_parents(const struct tree *tree, node_id id, const struct node *node)
{
    uint32_t n = 0;
    node_id parent;

    for (uint32_t at = 0; (parent = tree_parent(tree, id, &at)); n++) {
        INVARIANT(node_at(tree, parent)->rank == node->rank, "node %u of rank %d hangs on one of rank %d", id,
                  node->rank, node_at(tree, parent)->rank);
        INVARIANT(n < tree->parents.n, "the parents of node %u go round", id);
        check_reach(tree, id, node, parent);
    }
    return n;
}

static void check_node(const struct tree *tree, node_id id)
{
    const struct node *node = node_at(tree, id);

    INVARIANT(node->parent < id, "node %u is older than its parent %u", id, node->parent);
    INVARIANT(!node->parent == !node->ret, "node %u has a parent without a return, or the other way round", id);
    if (node->same)
        check_same(tree, id, node);
    if (node->child)
        INVARIANT(node_at(tree, node->child)->parent == id && !node_at(tree, node->child)->same,
                  "node %u has a child %u of another", id, node->child);
    INVARIANT(node->polls_ahead <= tree->polls_ahead.n && node->head < tree->node.n,
              "node %u spins at a head that is not there", id);
    INVARIANT(node->alike <= id && (!node->alike || tree->node.at[node->alike].rank == node->rank),
              "node %u is said to be in a poll as rank %d never was before", id, node->rank);
    check_node_operations(tree, id, node);
    check_edge(tree, id, node);
}

void tree_check_invariants(const struct tree *tree)
{
    uint64_t merged = 0, operations = 0, further = 0;

    for (node_id id = 1; id < tree->node.n; id++) {
        const struct node *node = &tree->node.at[id];
        uint32_t parents;

        check_node(tree, id);
        parents = check_parents(tree, id, node);
        further += parents - (node->parent != NODE_NONE);
        merged += node->same != NODE_NONE;
        operations += node->count;
    }
    INVARIANT(merged == tree->merged && further == merged + 2 * tree->likened, "%llu nodes are the same as others, and it says %llu",
              (unsigned long long)merged, (unsigned long long)tree->merged);
    INVARIANT(operations + 1 == tree->op.n, "nodes have %llu operations, of %zu", (unsigned long long)operations,
              tree->op.n - 1);
    INVARIANT(tree->segments + 1 == tree->node.n, "%llu segments were asked for, and there are %zu nodes",
              (unsigned long long)tree->segments, tree->node.n - 1);
}

/* The newest, which is made by now; and all of them whenever there are twice as many. */
void tree_check_step(const struct tree *tree)
{
    if ((tree->node.n & (tree->node.n - 1)) == 0)
        tree_check_invariants(tree);
    else if (tree->node.n > 1)
        check_parents(tree, (node_id)tree->node.n - 1, &tree->node.at[tree->node.n - 1]);
}
