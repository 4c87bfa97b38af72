#include "explore/trail.h"

#include "base/die.h"
#include "explore/spin.h"

void trails_init(struct trails *trails, int ranks)
{
    trails->ranks = ranks;
    trails->at = xcalloc((size_t)ranks, sizeof *trails->at);
    trails->until = xcalloc((size_t)ranks, sizeof *trails->until);
    trails->silent_until = xcalloc((size_t)ranks, sizeof *trails->silent_until);
    trails->ret = xcalloc((size_t)ranks, sizeof *trails->ret);
    trails->head = xcalloc((size_t)ranks, sizeof *trails->head);
}

/* Goes back to where the rank had come to so many nodes. */
static void shorten(struct trails *trails, rank_t r, size_t n)
{
    trails->head[r] = NODE_NONE;
    if (trails->at[r].n > n)
        trails->at[r].n = trails->until[r].n = trails->silent_until[r].n = trails->ret[r].n = n;
}

static void free_copies(struct trails *trails)
{
    while (trails->copy.n)
        free(vec_pop(&trails->copy));
}

void trails_release(struct trails *trails)
{
    free_copies(trails);
    vec_release(&trails->copy);
    for (rank_t r = 0; r < trails->ranks; r++) {
        bulk_release(&trails->at[r]);
        bulk_release(&trails->until[r]);
        bulk_release(&trails->silent_until[r]);
        bulk_release(&trails->ret[r]);
    }
    free(trails->at);
    free(trails->until);
    free(trails->silent_until);
    free(trails->ret);
    free(trails->head);
    bulk_release(&trails->pairing);
    bulk_release(&trails->window_pairing);
}

void trails_clear(struct trails *trails)
{
    for (rank_t r = 0; r < trails->ranks; r++)
        shorten(trails, r, 0);
    free_copies(trails);
    vec_clear(&trails->pairing);
    vec_clear(&trails->window_pairing);
}

/* That of a node may be of another way, with other messages of the same contents; as a rule it is the one at hand. */
static const struct ret *keep_trail_ret(struct trails *trails, const struct node *node, const struct ret *ret)
{
    if (!ret || ret_is_same(node->ret, ret))
        return ret ? node->ret : NULL;
    vec_push(&trails->copy, ret_copy(ret));
    return vec_last(&trails->copy);
}

/* Among the first so many operations of a node. */
static uint32_t complaints_in(const struct tree *tree, node_id node, uint32_t count)
{
    uint32_t n = 0;

    for (uint32_t i = 0; tree->complaints.n && i < count; i++)
        n += tree->op.at[tree->node.at[node].first_op + i].op->kind == OP_COMPLAINT;
    return n;
}

static uint32_t count_ops(const struct tree *tree, node_id node, bool silent)
{
    uint32_t count = tree->node.at[node].count;

    return silent ? count - complaints_in(tree, node, count) : count;
}

void trails_enter(struct trails *trails, const struct tree *tree, rank_t r, node_id node, const struct ret *ret)
{
    uint32_t before = trails->until[r].n ? vec_last(&trails->until[r]) : 0;
    uint32_t silent_before = trails->silent_until[r].n ? vec_last(&trails->silent_until[r]) : 0;

    trails->head[r] = NODE_NONE;
    bulk_push(&trails->at[r], node);
    bulk_push(&trails->until[r], before + count_ops(tree, node, false));
    bulk_push(&trails->silent_until[r], silent_before + count_ops(tree, node, true));
    bulk_push(&trails->ret[r], keep_trail_ret(trails, &tree->node.at[node], ret));
}

static node_id last_on_trail(const struct trails *trails, rank_t r)
{
    return trails->head[r] ? trails->head[r] : vec_last(&trails->at[r]);
}

void trails_told_no(struct trails *trails, struct tree *tree, rank_t r, node_id until)
{
    for (node_id at = last_on_trail(trails, r); at != until;)
        trails_enter(trails, tree, r, at = spin_no(tree, at), NULL);
}

/* Whether it came to the n-th node of its trail by a no. */
static bool was_told_no(const struct trails *trails, rank_t r, size_t n)
{
    const struct ret *ret = trails->ret[r].at[n];

    return n > 0 && (!ret || (!ret->flag && !ret->items));
}

/* After how many noes one that stands at the head comes to this poll of its round. */
static uint32_t noes_from_head(struct tree *tree, node_id head, node_id poll)
{
    uint32_t noes = 0, reach = spin_reach(tree, head);

    for (node_id at = head; at != poll && noes < reach; noes++)
        at = spin_no(tree, at);
    return noes;
}

/*
 * One that came in at another poll of the round is told no until it would be at the head again.  It may never be: what follows the last
 * poll of the round need not be the head, only like it, or in a round in which something changes, the same poll.
 */
static void go_round(struct trails *trails, struct tree *tree, rank_t r, node_id head)
{
    uint32_t period = tree->node.at[head].period;
    node_id at = last_on_trail(trails, r);
    uint32_t left = (period - noes_from_head(tree, head, at) % period) % period;

    for (; left && at != head; left--)
        trails_enter(trails, tree, r, at = spin_no(tree, at), NULL);
    trails->head[r] = head;
}

/* The head lies behind it if only noes were told since; it may have been there before, and have done other things between. */
void trails_spin(struct trails *trails, struct tree *tree, rank_t r, node_id head)
{
    size_t n = trails->at[r].n;

    while (n && trails->at[r].at[n - 1] != head && was_told_no(trails, r, n - 1))
        n--;
    if (n && trails->at[r].at[n - 1] == head)
        shorten(trails, r, n);
    else
        go_round(trails, tree, r, head);
}

/* How many operations come between the end of the trail and this node of the round in which the rank polls; what follows its last poll is another round's. */
static bool find_ahead(struct tree *tree, node_id from, node_id node, bool silent, uint32_t *between)
{
    node_id head = tree->node.at[from].head;
    bool whole = head && (spin_is_later(tree, head, node) || spin_exit(tree, head));
    uint32_t most = !head ? 0 : whole ? spin_reach(tree, head) : tree->node.at[head].period;

    *between = 0;
    for (uint32_t i = 0; from != node; i++) {
        if (i == most)
            return false;
        from = spin_no(tree, from);
        *between += count_ops(tree, from, silent);
    }
    return true;
}

static uint32_t number_on_trail(const struct trails *trails, struct tree *tree, uint32_t user, bool silent)
{
    node_id node = tree->op.at[user].node;
    rank_t r = tree->node.at[node].rank;
    size_t n = trails->at[r].n;
    uint32_t number, within = user - tree->node.at[node].first_op;

    if (!find_ahead(tree, last_on_trail(trails, r), node, silent, &number)) {
        number = 0;
        while (n && trails->at[r].at[n - 1] != node)
            n--;
        if (!n)
            BUG("rank %d has not come by the operation that is asked for", r);
    }
    if (n)
        number += silent ? trails->silent_until[r].at[n - 1] : trails->until[r].at[n - 1];
    return number - count_ops(tree, node, silent) + within - (silent ? complaints_in(tree, node, within) : 0);
}

uint32_t trails_number(const struct trails *trails, struct tree *tree, uint32_t user)
{
    return number_on_trail(trails, tree, user, false);
}

uint32_t trails_silent_number(const struct trails *trails, struct tree *tree, uint32_t user)
{
    return number_on_trail(trails, tree, user, true);
}

uint32_t trails_silence(const struct trails *trails, const struct tree *tree, rank_t r, uint32_t number)
{
    size_t at = segment_of_number(trails->until[r].at, trails->at[r].n, number);
    uint32_t before = at ? trails->until[r].at[at - 1] : 0, silent = at ? trails->silent_until[r].at[at - 1] : 0;

    if (at < trails->at[r].n)
        silent -= complaints_in(tree, trails->at[r].at[at], number - before);
    return silent + number - before;
}

static struct op_name op_name_of(const struct trails *trails, struct tree *tree, uint32_t user)
{
    rank_t r = tree->node.at[tree->op.at[user].node].rank;

    return (struct op_name){r, trails_number(trails, tree, user)};
}

void trails_pair(struct trails *trails, struct tree *tree, uint32_t send, uint32_t recv, bool made)
{
    bulk_push(&trails->pairing, (struct pairing){op_name_of(trails, tree, send), op_name_of(trails, tree, recv), made});
}

void trails_pair_at_window(struct trails *trails, struct tree *tree, uint32_t send, uint32_t recv)
{
    bulk_push(&trails->window_pairing, (struct pairing){op_name_of(trails, tree, send), op_name_of(trails, tree, recv), true});
}
