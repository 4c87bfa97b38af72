#include "explore/trail.h"

#include "base/die.h"
#include "explore/spin.h"

void trails_init(struct trails *trails, int ranks)
{
    trails->ranks = ranks;
    trails->at = xcalloc((size_t)ranks, sizeof *trails->at);
}

void trails_release(struct trails *trails)
{
    for (rank_t r = 0; r < trails->ranks; r++)
        vec_release(&trails->at[r]);
    free(trails->at);
}

void trails_clear(struct trails *trails)
{
    for (rank_t r = 0; r < trails->ranks; r++)
        vec_clear(&trails->at[r]);
}

void trails_enter(struct trails *trails, rank_t r, node_id node)
{
    vec_push(&trails->at[r], node);
}

void trails_told_no(struct trails *trails, struct tree *tree, rank_t r, node_id until)
{
    for (node_id at = vec_last(&trails->at[r]); at != until;)
        vec_push(&trails->at[r], at = spin_no(tree, at));
}

void trails_spin(struct trails *trails, struct tree *tree, rank_t r, node_id head)
{
    size_t n = trails->at[r].n;

    while (n && trails->at[r].at[n - 1] != head)
        n--;
    if (n)
        trails->at[r].n = n;
    else
        trails_told_no(trails, tree, r, head);
}

/* How many operations come between the end of the trail and this node of the round in which the rank polls. */
static bool find_ahead(struct tree *tree, node_id from, node_id node, uint32_t *between)
{
    *between = 0;
    for (uint32_t i = 0; from != node; i++) {
        node_id head = tree->node.at[from].head;

        if (!head || i == tree->node.at[head].period)
            return false;
        from = spin_no(tree, from);
        *between += tree->node.at[from].count;
    }
    return true;
}

uint32_t trails_number(const struct trails *trails, struct tree *tree, uint32_t user)
{
    node_id node = tree->op.at[user].node;
    rank_t r = tree->node.at[node].rank;
    size_t n = trails->at[r].n;
    uint32_t number;

    if (!find_ahead(tree, vec_last(&trails->at[r]), node, &number)) {
        number = 0;
        while (n && trails->at[r].at[n - 1] != node)
            n--;
        if (!n)
            BUG("rank %d has not come by the operation that is asked for", r);
    }
    for (size_t i = 0; i < n; i++)
        number += tree->node.at[trails->at[r].at[i]].count;
    return number - tree->node.at[node].count + (user - tree->node.at[node].first_op);
}
