#include "explore/takers.h"

#include "sem/sem.h"

/* What is said of a node. */
enum {
    POSTS = 1,       /* its segment posts a receive that the message fits */
    POSTS_BELOW = 2, /* one below it does */
    HOLDS = 4,       /* the rank may stand there without taking the message */
    STRANGE = 8, /* or may do so before it posts such a receive in the same segment; or does what is not looked into */
    REFUSES = 16 /* it may leave the message waiting, there or below */
};

void takers_release(struct takers *takers)
{
    for (size_t i = 0; i < takers->at.n; i++)
        free(takers->at.at[i].mark);
    vec_release(&takers->at);
    vec_release(&takers->above);
    *takers = (struct takers){0};
}

/* ---- one segment ---- */

static bool op_fits(const struct op *op, const struct envelope *message)
{
    return op->context == message->context && sem_fits(message->from, message->tag, op->peer, op->tag);
}

/* Whether a request is a receive for the message that was posted in the same segment. */
static bool request_fits(const struct tree *tree, const struct node *node, uint32_t number,
                         const struct envelope *message)
{
    for (uint32_t i = node->count - 1; i-- > 0;) {
        const struct op *op = tree->op.at[node->first_op + i].op;

        if (op_posts(op) && op->request == number)
            return op->kind == OP_RECV && op_fits(op, message);
    }
    return false;
}

/* Whether a rank that stands in the call at the end of its segment could take the message: as long as it does not return, a receive is open that fits. */
static bool call_takes(const struct tree *tree, const struct node *node, const struct op *call,
                       const struct envelope *message)
{
    uint32_t n;
    const uint32_t *number = call_list(call, &n);

    if (call->kind == OP_RECV || call->kind == OP_PROBE)
        return op_fits(call, message);
    for (uint32_t i = 0; i < n && call->kind == OP_WAIT; i++)
        if (!request_fits(tree, node, number[i], message))
            return false;
    return call->kind == OP_WAIT && n;
}

/* What an operation is that is no call in which the segment ends. */
static uint8_t look_at_op(const struct op *op, const struct envelope *message)
{
    switch ((enum op_kind)op->kind) {
    case OP_RECV:
        return (op_fits(op, message) ? POSTS : 0) | (op->request ? 0 : HOLDS);
    case OP_SEND:
    case OP_COLL:
        return op->request && !(op->flags & OPF_BLOCKING) ? 0 : HOLDS;
    case OP_WAIT:
        return HOLDS;
    case OP_FREE:
    case OP_DONE:
    OP_CASES(OP_LIFE)
    OP_CASES(OP_SETTINGS)
    OP_CASES(OP_REMARKS)
        return 0;
    case OP_TEST:
    case OP_CANCEL:
    case OP_TAKEN:
    OP_CASES(OP_PROBES)
    OP_CASES(OP_CHOICES)
    OP_CASES(OP_SERVICES)
    OP_CASES(OP_ENDS)
        return STRANGE;
    }
    return STRANGE;
}

static uint8_t look_at_last_call(const struct tree *tree, const struct node *node, const struct op *call,
                            const struct envelope *message)
{
    bool posts = call->kind == OP_RECV && op_fits(call, message);

    if (!op_posts(call) && call->kind != OP_WAIT && call->kind != OP_PROBE)
        return STRANGE;
    return (posts ? POSTS : 0) | (call_takes(tree, node, call, message) ? 0 : HOLDS);
}

/* Threads, and messages that are taken before they are received, are left to others. */
static bool op_is_strange(const struct op *op)
{
    return op->thread || op->flags & (OPF_EITHER | OPF_TAKE);
}

static uint8_t look_at_posts(const struct tree *tree, const struct node *node, const struct envelope *message)
{
    uint8_t mark = node->end == SEGMENT_CALL || node->end == SEGMENT_EXIT ? 0 : STRANGE;

    for (uint32_t i = node->count; i-- > 0;) {
        const struct op *op = tree->op.at[node->first_op + i].op;
        bool calls = i + 1 == node->count && node->end == SEGMENT_CALL;
        uint8_t one = op_is_strange(op) ? STRANGE
                      : calls           ? look_at_last_call(tree, node, op, message)
                                        : look_at_op(op, message);

        if (one & HOLDS && mark & POSTS)
            one |= STRANGE;
        mark |= one;
    }
    return mark;
}

/* ---- all of a rank ---- */

/* Marks all nodes above one, as far as they are not. */
static void mark_above(struct takers *takers, const struct tree *tree, uint8_t *marks, node_id below, uint8_t mark)
{
    vec_clear(&takers->above);
    vec_push(&takers->above, below);
    while (takers->above.n) {
        node_id node = vec_pop(&takers->above), parent;
        uint32_t at = 0;

        while ((parent = tree_parent(tree, node, &at))) {
            if (marks[parent] & mark)
                continue;
            marks[parent] |= mark;
            vec_push(&takers->above, parent);
        }
    }
}

static bool refuses_here(uint8_t mark)
{
    return mark & STRANGE || (mark & HOLDS && mark & POSTS_BELOW);
}

static void find_taking(struct takers *takers, const struct tree *tree, struct taking *taking)
{
    size_t n = tree->node.n;
    uint8_t *mark = xcalloc(n, sizeof *mark);

    for (node_id id = 1; id < n; id++) {
        bulk_pass();
        if (tree->node.at[id].rank == taking->envelope.to && !tree->node.at[id].same)
            mark[id] = look_at_posts(tree, &tree->node.at[id], &taking->envelope);
    }
    for (node_id id = 1; id < n; id++)
        if (mark[id] & POSTS)
            mark_above(takers, tree, mark, id, POSTS_BELOW);
    for (node_id id = 1; id < n; id++)
        if (refuses_here(mark[id])) {
            mark[id] |= REFUSES;
            mark_above(takers, tree, mark, id, REFUSES);
        }
    free(taking->mark);
    taking->mark = mark;
    taking->nodes = n;
    taking->parents = tree->parents.n;
    takers->work += n;
}

static struct taking *taking_of(struct takers *takers, const struct envelope *message)
{
    enum { MOST = 256 };

    for (size_t i = 0; i < takers->at.n; i++) {
        const struct envelope *known = &takers->at.at[i].envelope;

        if (known->to == message->to && known->from == message->from && known->context == message->context &&
            known->tag == message->tag)
            return &takers->at.at[i];
    }
    if (takers->at.n == MOST)
        return NULL;
    vec_push(&takers->at, (struct taking){.envelope = *message});
    return &vec_last(&takers->at);
}

bool takers_take(struct takers *takers, const struct tree *tree, node_id node, const struct envelope *message,
                 uint64_t most_work)
{
    struct taking *taking = taking_of(takers, message);

    if (!taking)
        return false;
    if (taking->nodes != tree->node.n || taking->parents != tree->parents.n) {
        if (takers->work + tree->node.n > most_work)
            return false;
        find_taking(takers, tree, taking);
    }
    return !(taking->mark[node] & REFUSES);
}
