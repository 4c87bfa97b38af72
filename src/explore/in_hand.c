/*
 * in_hand -- the run that the search is at, for BUG() to tell (base/bug_context.h).
 *
 * One decision a line, as a JSON object with the members that it has in result.json (doc/result.md), from the beginning
 * of the run to the decision that was being made.  Operations are numbered as on the way on which their rank's history
 * was first met: where histories were merged, the run in hand may have come another way.
 */
#include "explore/search.h"

#include "base/bug_context.h"

enum { MOST = 1000 }; /* decisions; of longer runs the last */

/* The number of an operation in the history of its rank. */
static uint64_t number_in_history(const struct tree *tree, uint32_t user)
{
    const struct tree_op *op = &tree->op.at[user];
    uint64_t number = user - tree->node.at[op->node].first_op;
    node_id id = op->node;

    while ((id = tree->node.at[id].parent) && number < tree->op.n) /* bounded, should it go round */
        number += tree->node.at[id].count;
    return number;
}

static const char *decision_kind_word(const struct decision *decision)
{
    switch (decision->kind) {
    case DECIDED_MATCH:
        return "match";
    case DECIDED_SEEN:
        return "probe";
    case DECIDED_SOME:
        return "some";
    case DECIDED_NO:
        return "no";
    case DECIDED_CANCEL:
        return "cancel";
    case DECIDED_CHOICE:
        return "choice";
    }
    return "?";
}

static void say_set(uint64_t set)
{
    const char *between = "";

    if (set == UINT64_MAX) {
        bug_say(", \"set\": \"all\"");
        return;
    }
    bug_say(", \"set\": [");
    for (int i = 0; i < 64; i++) {
        if (!(set >> i & 1))
            continue;
        bug_say("%s%d", between, i);
        between = ", ";
    }
    bug_say("]");
}

static bool is_op(const struct explorer *x, uint64_t user)
{
    return user > 0 && user < x->game.tree.op.n && x->game.tree.op.at[user].op;
}

/* What it names is there. */
static bool pick_is_sound(const struct explorer *x, struct pick pick)
{
    const struct op *op = is_op(x, pick.op) ? x->game.tree.op.at[pick.op].op : NULL;

    if (op && op->kind == OP_CANCEL)
        return is_op(x, pick.choice >> 1);
    return op && (pick.choice == ANSWER_NO || !(op->kind == OP_RECV || is_probe(op)) || is_op(x, pick.choice));
}

static void say_pick(const struct explorer *x, struct pick pick)
{
    const struct tree *tree = &x->game.tree;
    struct decision decision;
    uint64_t message;

    if (!pick_is_sound(x, pick)) {
        bug_say("  (a decision that cannot be read)\n");
        return;
    }
    decision = decision_without_names(x, pick.op, pick.choice);
    message = decision.kind == DECIDED_CANCEL ? pick.choice >> 1 : pick.choice;
    bug_say("  {\"kind\": \"%s\", \"rank\": %d, \"op\": %llu", decision_kind_word(&decision), decision.rank,
            (unsigned long long)number_in_history(tree, pick.op));
    if (decision.source != RANK_NONE)
        bug_say(", \"source\": %d, \"message\": %llu", decision.source,
                (unsigned long long)number_in_history(tree, (uint32_t)message));
    if (decision.kind == DECIDED_SOME || decision.kind == DECIDED_CANCEL || decision.kind == DECIDED_CHOICE)
        say_set(decision.set);
    bug_say("}\n");
}

void search_describe_run(const void *data)
{
    const struct explorer *x = data;
    uint32_t way[MOST], step = x->in_hand.from;
    size_t n = 0;

    /* Each step comes from an earlier one: what does not is broken. */
    for (; n < MOST && step && step < x->step.n && x->step.at[step].from && x->step.at[step].from < step; n++) {
        way[n] = step;
        step = x->step.at[step].from;
    }
    bug_say("tourney: after %llu runs, in the one with these decisions%s:\n",
            (unsigned long long)x->result.runs, n == MOST ? ", of which the first are left out" : "");
    while (n > 0)
        say_pick(x, x->step.at[way[--n]].pick);
    if (x->in_hand.pick.op)
        say_pick(x, x->in_hand.pick);
}
