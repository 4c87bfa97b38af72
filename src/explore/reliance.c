/*
 * reliance -- whether a run can go as it did only because MPI used a freedom that it need not use.
 *
 * Two of them: a collective lets ranks go before all have come (M5, M7), and a poll says no though
 * it could say yes (M8).  For the first the decisions of the run are made again where every
 * collective waits for all.  If that holds the run up, and something else can happen there, it
 * is another run then.  If nothing can, it is the same deadlock, seen earlier.
 */
#include "explore/search.h"

static struct tight *run_again_waiting(struct explorer *x)
{
    struct tight *tight = tight_begin(&x->game, SLACK_WAITING);
    bool failed = !tight;

    for (size_t i = 0; !failed && i < x->path.n; i++)
        failed = tight_follow(&x->game, &x->menu, tight, x->path.at[i]) < 0;
    if (!failed && tight_end(&x->game, &x->menu, tight) == 0)
        return tight;
    if (tight)
        tight_free(&x->game, tight);
    return NULL;
}

/* The first collective that was left early, by `user`; 0: none. */
static uint32_t find_left_early(struct explorer *x)
{
    struct tight *tight = run_again_waiting(x);
    ids_t ids = {0};
    uint32_t early = 0;

    if (!tight)
        return 0;
    menu_fill(&x->menu, &x->game, tight->state);
    for (rank_t r = 0; x->menu.point.n && r < x->game.ranks && !early; r++) {
        tight_loosening(&x->game, tight->state, r, &ids);
        if (ids.n)
            early = sem_view(tight->state->sem, ids.at[0]).user;
    }
    vec_release(&ids);
    tight_free(&x->game, tight);
    return early;
}

static bool is_no_pick(const struct explorer *x, struct pick pick)
{
    return op_is_poll(x->game.tree.op.at[pick.op].op) && pick.choice == ANSWER_NO;
}

/* The first poll that a rank can be told yes to in a state and, if there is `like`, asks the same; by `user`; 0: none. */
static uint32_t find_first_yes(struct explorer *x, const struct state *state, rank_t r, const struct op *like)
{
    menu_fill(&x->menu, &x->game, state);
    for (size_t i = 0; i < x->menu.option.n; i++) {
        const struct option *option = &x->menu.option.at[i];
        const struct tree_op *op = &x->game.tree.op.at[option->op];

        if (op_is_poll(op->op) && option->choice != ANSWER_NO && x->game.tree.node.at[op->node].rank == r &&
            (!like || spin_same_poll(op->op, like)))
            return option->op;
    }
    return 0;
}

/*
 * One that could say yes in place of all the noes of which this is the last.  Polls of a round that goes on for ever say no
 * without a decision (spin.h): of these, one that could say yes before the very same poll does so later in the round.
 */
static uint32_t find_refused_yes(struct explorer *x, const struct state *state, struct pick pick)
{
    const struct tree_op *op = &x->game.tree.op.at[pick.op];
    rank_t r = x->game.tree.node.at[op->node].rank;
    uint32_t first;

    if (is_no_pick(x, pick))
        return find_first_yes(x, state, r, NULL);
    if (!op_is_poll(op->op) || !state->player[r].spins || spin_exit(&x->game.tree, state->player[r].node))
        return 0;
    first = find_first_yes(x, state, r, op->op);
    return first == pick.op ? 0 : first;
}

/* The first poll that said no for no reason, by `user`; 0: none. */
static uint32_t find_refusal(struct explorer *x)
{
    struct state *state = state_begin(&x->game, x->options.slack);
    uint32_t refusal = 0;

    for (size_t i = 0; state && i < x->path.n && !refusal; i++) {
        struct pick pick = x->path.at[i];

        refusal = find_refused_yes(x, state, pick);
        if (!refusal && search_take_pick(x, state, pick) < 0)
            state = NULL;
    }
    if (state)
        state_free_with_tight(&x->game, state);
    return refusal;
}

struct reliance explore_reliance(struct explorer *x, const struct run *run)
{
    struct reliance reliance = {0};

    if (!run->step || run->less_slack)
        return reliance;
    search_find_path(x, run->step);
    x->game.trails = NULL;
    reliance.refusal = find_refusal(x);
    reliance.early = find_left_early(x);
    return reliance;
}
