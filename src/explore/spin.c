#include "explore/spin.h"

#include <string.h>

enum { LONGEST_ROUND = 64, LONGEST_CHAIN = 1 << 16 };

/* Polls told no one after the other, with nothing posted in between. */
struct chain {
    VEC(node_id) poll;
    uint32_t same[LONGEST_ROUND + 1]; /* by period: how many of the last polls equal the one a period before */
};

static const struct ret no = {0};
static const struct ret no_in_passing = {.last = true};

node_id spin_no(struct tree *tree, node_id id)
{
    return tree_child(tree, id, &no);
}

/*
 * The same, for the n-th time in a row.  To stay at each poll of a long chain, in case that
 * it shall be told yes, takes far longer than to come there again: only some are stayed at.
 */
static node_id no_again(struct tree *tree, node_id id, size_t n)
{
    return tree_child(tree, id, n & (n - 1) ? &no_in_passing : &no);
}

static bool posts_nothing(const struct op *op)
{
    return op->kind == OP_TYPE || op->kind == OP_CONTEXT_NAME || op->kind == OP_PCONTROL ||
           op->kind == OP_COMPLAINT;
}

static bool is_only_poll(const struct tree *tree, node_id id)
{
    const struct node *node = &tree->node.at[id];
    const struct op *op = node->ops;

    if (node->end != SEGMENT_CALL)
        return false;
    for (uint32_t i = 0; i + 1 < node->count; i++, op = op_next(op))
        if (!posts_nothing(op))
            return false;
    return op_is_poll(op);
}

static bool same_poll(const struct op *a, const struct op *b)
{
    return a->size == b->size && a->kind == b->kind && a->call == b->call && a->flags == b->flags &&
           a->request == b->request && a->peer == b->peer && a->tag == b->tag && a->context == b->context &&
           a->place == b->place && a->items == b->items && memcmp(a + 1, b + 1, op_tail_size(a)) == 0;
}

/* How often it has to go round: so many times, and at least so many polls. */
struct patience {
    uint32_t rounds, polls;
};

/* Where a round was taken to go on for ever and did not, one has to wait longer the next time. */
static struct map_key lesson(const struct op *poll, uint32_t period)
{
    return map_key2(poll->place, period);
}

static bool is_enough(const struct tree *tree, const struct op *poll, uint32_t period, uint32_t same)
{
    return same >= map_find(&tree->lessons, lesson(poll, period), 0);
}

/* Adds a poll; the period in which it has gone round often enough, or 0. */
static uint32_t add(const struct tree *tree, struct chain *chain, node_id id, struct patience patience)
{
    uint32_t n = (uint32_t)chain->poll.n, most = n < LONGEST_ROUND ? n : LONGEST_ROUND, period = 0;
    const struct op *poll = tree_call(tree, id);

    vec_push(&chain->poll, id);
    for (uint32_t d = 1; d <= most; d++) {
        chain->same[d] = same_poll(poll, tree_call(tree, chain->poll.at[n - d])) ? chain->same[d] + 1 : 0;
        if (!period && chain->same[d] >= patience.rounds * d && chain->same[d] >= patience.polls)
            period = d;
    }
    return period && is_enough(tree, poll, period, chain->same[period]) ? period : 0;
}

/* Where in the chain, near its end, this very node is; else the end. */
static size_t find(const struct chain *chain, node_id id)
{
    size_t i = chain->poll.n;

    while (i > 0 && chain->poll.n - i < LONGEST_ROUND)
        if (chain->poll.at[--i] == id)
            return i;
    return chain->poll.n;
}

/* A round that was found: where it begins, and how long it is; 0: there is none. */
struct round {
    size_t first;
    uint32_t period;
    bool seen; /* the rank is where it was, by its image, and not only by what it does */
};

static struct round follow(struct tree *tree, struct chain *chain, node_id id, struct patience patience)
{
    do {
        uint32_t period = add(tree, chain, id, patience);
        size_t back;

        if (period)
            return (struct round){chain->poll.n - chain->same[period] - period, period, false};
        if (chain->poll.n == LONGEST_CHAIN)
            break;
        id = no_again(tree, id, chain->poll.n);
        back = find(chain, id);
        if (back < chain->poll.n)
            return (struct round){back, (uint32_t)(chain->poll.n - back), true};
    } while (id && is_only_poll(tree, id));
    return (struct round){0};
}

node_id spin_known_head(const struct tree *tree, node_id id)
{
    node_id head = tree->node.at[id].head;

    return tree->node.at[head].head == head ? head : NODE_NONE;
}

/* All these are followed now; those from the round on, if there is one, have a head. */
static void note_round(struct tree *tree, const struct chain *chain, struct round round)
{
    node_id head = round.period ? chain->poll.at[round.first] : NODE_NONE;

    for (size_t i = 0; i < chain->poll.n && !tree->failed; i++) {
        tree->node.at[chain->poll.at[i]].followed = true;
        tree->node.at[chain->poll.at[i]].head = i >= round.first ? head : NODE_NONE;
    }
    if (head) {
        tree->node.at[head].period = round.period;
        tree->node.at[head].certain = round.seen;
    }
}

node_id spin_head(struct tree *tree, node_id id, uint32_t rounds, uint32_t *spins)
{
    struct chain chain = {0};
    struct round round;

    if (tree->node.at[id].followed)
        return spin_known_head(tree, id);
    round = follow(tree, &chain, id, (struct patience){rounds, 0});
    note_round(tree, &chain, round);
    *spins += round.period && !round.seen;
    vec_release(&chain.poll);
    return spin_known_head(tree, id);
}

static void learn(struct tree *tree, node_id head, const struct chain *chain)
{
    uint32_t period = tree->node.at[head].period;

    for (uint32_t i = 0; i < period && i < chain->poll.n; i++)
        map_put(&tree->lessons, lesson(tree_call(tree, chain->poll.at[i]), period), 2 * (uint32_t)chain->poll.n);
}

/* Having gone round for long it may come to other polls, and go round there: that is not the same. */
bool spin_goes_on(struct tree *tree, node_id head, uint32_t patience, uint32_t *spins)
{
    struct chain chain = {0};
    struct round round;
    bool same;

    if (tree->node.at[head].certain)
        return true;
    round = follow(tree, &chain, head, (struct patience){1, patience});
    same = round.period && round.first == 0;
    if (!same) {
        learn(tree, head, &chain);
        note_round(tree, &chain, round);
    }
    *spins -= !round.period && !tree->failed;
    tree->node.at[head].certain = same;
    vec_release(&chain.poll);
    return same;
}
