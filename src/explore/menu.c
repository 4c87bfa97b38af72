#include "explore/menu.h"

#include "explore/spin.h"

enum { LONGEST_SET = 63, MOST_COMPLETE = 12 };

void menu_release(struct menu *menu)
{
    vec_release(&menu->option);
    vec_release(&menu->point);
    vec_release(&menu->recvs);
}

static void offer(struct menu *menu, uint32_t op, uint64_t choice, op_id recv, op_id send)
{
    vec_push(&menu->option, (struct option){op, choice, recv, send, .begun = false});
}

/* Of the options of a point that begins there.  In a round of polls, a later one can say yes only after an earlier did not. */
static void mark_others(struct menu *menu, const struct game *game, uint32_t first)
{
    for (size_t i = first + 1; i < menu->option.n; i++) {
        struct option *option = &menu->option.at[i];

        option->other = true;
        option->late = op_is_poll(game->tree.op.at[option->op].op) &&
                       (option->choice == ANSWER_NO || option->op != menu->option.at[first].op);
        menu->late = menu->late || option->late;
    }
}

/* The options since the last point belong to this one; none: there is no point. */
static void close_point(struct menu *menu, const struct game *game, rank_t r, op_id recv)
{
    uint32_t first = menu->point.n ? vec_last(&menu->point).first + vec_last(&menu->point).n : 0;

    if (menu->option.n > first + 1 && game->tree.op.at[menu->option.at[first].op].marked) {
        menu->option.n = first + 1;
        menu->marked = true;
    }
    mark_others(menu, game, first);
    if (menu->option.n > first)
        vec_push(&menu->point, (struct point){r, recv, first, (uint32_t)menu->option.n - first});
}

/* What a receive may take. */
static void offer_sends(struct menu *menu, struct game *game, const struct state *state, op_id recv)
{
    struct sem_view view = sem_view(state->sem, recv);
    int sends = sem_choices(state->sem, recv, game->sends);

    for (int i = 0; i < sends; i++) {
        uint32_t send = sem_view(state->sem, game->sends[i]).user;

        dispute_look(&game->disputes, &game->tree, send, view.user, false);
        offer(menu, view.user, send, recv, game->sends[i]);
    }
    close_point(menu, game, view.owner, recv);
}

static void offer_matches(struct menu *menu, struct game *game, const struct state *state, rank_t r)
{
    int n = sem_open_wildcards(state->sem, r, menu->recvs.at, (int)menu->recvs.cap);

    if ((size_t)n > menu->recvs.cap) {
        vec_reserve(&menu->recvs, (size_t)n);
        n = sem_open_wildcards(state->sem, r, menu->recvs.at, n);
    }
    for (int i = 0; i < n; i++)
        offer_sends(menu, game, state, menu->recvs.at[i]);
}

/*
 * Pairs that would be forced, were it not that one end may be cancelled.  Those of
 * wildcards are offered already; of two such ends, the receive offers.
 */
static void offer_held(struct menu *menu, struct game *game, const struct state *state, rank_t r)
{
    const struct player *p = &state->player[r];

    for (size_t i = 1; i < p->request.n; i++) {
        op_id id = p->request.at[i].id, recv;
        struct sem_view view;

        if (!id || !(view = sem_view(state->sem, id)).held)
            continue;
        recv = view.kind == SEM_RECV ? id : view.kind == SEM_SEND ? sem_first_recv(state->sem, id) : OP_ID_NONE;
        if (!recv || sem_view(state->sem, recv).peer == RANK_ANY)
            continue;
        if (recv != id && (sem_view(state->sem, recv).held ||
                           sem_choices(state->sem, recv, game->sends) == 0 || game->sends[0] != id))
            continue;
        offer_sends(menu, game, state, recv);
    }
}

/* Every non-empty set of the complete requests; if these are too many, single ones and all. */
static void offer_sets(struct menu *menu, uint32_t user, uint64_t complete, uint32_t count, bool longer)
{
    if (longer || count > MOST_COMPLETE) {
        menu->left_out = true;
        offer(menu, user, ANSWER_ALL, OP_ID_NONE, OP_ID_NONE);
        for (uint64_t rest = complete; rest; rest &= rest - 1)
            offer(menu, user, rest & -rest, OP_ID_NONE, OP_ID_NONE);
        return;
    }
    for (uint64_t set = complete; set; set = (set - 1) & complete)
        offer(menu, user, set, OP_ID_NONE, OP_ID_NONE);
}

static void offer_list(struct menu *menu, const struct state *state, rank_t r, const struct op *call, uint32_t user)
{
    uint32_t n, count = 0;
    const uint32_t *number = call_list(call, &n);
    uint64_t complete = 0;

    for (uint32_t i = 0; i < n; i++) {
        if (!sem_view(state->sem, state_request(state, r, number[i])).complete)
            continue;
        count++;
        complete |= i < LONGEST_SET ? UINT64_C(1) << i : 0;
        if (call->flags & OPF_ANY && (!is_peek(call) || count == 1 || call->flags & OPF_ORDERED))
            offer(menu, user, i + 1, OP_ID_NONE, OP_ID_NONE);
    }
    if (call->flags & OPF_SOME && count)
        offer_sets(menu, user, complete, count, n > LONGEST_SET);
    else if (count == n && (!is_selective(call) || (n == 0 && call->kind == OP_WAIT)))
        offer(menu, user, ANSWER_YES, OP_ID_NONE, OP_ID_NONE);
}

static void offer_answers(struct menu *menu, struct game *game, const struct state *state, rank_t r, node_id at)
{
    uint32_t user = node_call(&game->tree, at);
    const struct op *call = tree_call(&game->tree, at);
    int n;

    if (op_chooses(call)) {
        for (uint32_t i = 1; i <= call->items; i++)
            if (bonds_allow(&state->bonds, call, i))
                offer(menu, user, i, OP_ID_NONE, OP_ID_NONE);
        return;
    }
    if (!is_probe(call)) {
        offer_list(menu, state, r, call, user);
        return;
    }
    n = sem_probe(state->sem, r, call->peer, call->context, call->tag, game->sends);
    for (int i = 0; i < n; i++)
        offer(menu, user, sem_view(state->sem, game->sends[i]).user, OP_ID_NONE, game->sends[i]);
}

/* Stepwise: that a rank posts its next operation, with the slack that there is or with more. */
static void offer_step(struct menu *menu, const struct game *game, const struct state *state, rank_t r)
{
    const struct player *p = &state->player[r];
    uint32_t user = game->tree.node.at[p->node].first_op + p->posted;
    const struct op *op = game->tree.op.at[user].op;
    bool standard = op->kind == OP_SEND && !(op->flags & (OPF_SYNCHRONOUS | OPF_BUFFERED));

    if (p->mode == PLAYER_PASSES && !sem_is_ready(state->sem, r))
        return;
    offer(menu, user, 0, OP_ID_NONE, OP_ID_NONE);
    if (p->mode == PLAYER_STEPS && game->loosens && (standard || op->kind == OP_COLL))
        offer(menu, user, 1, OP_ID_NONE, OP_ID_NONE);
    close_point(menu, game, r, OP_ID_NONE);
}

/* The answers of so many calls, of which all but the last say no; where the last one is. */
static node_id offer_round(struct menu *menu, struct game *game, const struct state *state, rank_t r, node_id at,
                           uint32_t calls)
{
    for (uint32_t i = 0; i < calls; i++) {
        if (i)
            at = spin_no(&game->tree, at);
        offer_answers(menu, game, state, r, at);
    }
    return at;
}

/* D5: what is unmatched is withdrawn or, if it is buffered, goes its way. */
static void offer_cancel(struct menu *menu, const struct game *game, const struct state *state, rank_t r)
{
    uint32_t user = state_cancel_op(game, state, r);
    uint64_t twice = (uint64_t)sem_view(state->sem, state_cancelled(game, state, r)).user << 1;

    if (state_cancel_may_withdraw(game, state, r))
        offer(menu, user, twice | 1, OP_ID_NONE, OP_ID_NONE);
    if (state_cancel_may_fail(game, state, r))
        offer(menu, user, twice, OP_ID_NONE, OP_ID_NONE);
    close_point(menu, game, r, OP_ID_NONE);
}

static void offer_call(struct menu *menu, struct game *game, const struct state *state, rank_t r)
{
    const struct player *p = &state->player[r];
    const struct polls_ahead *exit = p->spins ? spin_exit(&game->tree, p->node) : NULL;
    node_id at = p->node;
    uint32_t polls = p->spins ? game->tree.node.at[at].period : 1;
    size_t before = menu->option.n;

    if (p->mode == PLAYER_CANCELS) {
        offer_cancel(menu, game, state, r);
        return;
    }
    if (game->stepwise && (p->mode == PLAYER_STEPS || p->mode == PLAYER_PASSES)) {
        offer_step(menu, game, state, r);
        return;
    }
    if (p->mode == PLAYER_OVER || p->mode == PLAYER_PASSES || (p->mode == PLAYER_WAITS && !sem_is_ready(state->sem, r)))
        return;
    at = offer_round(menu, game, state, r, at, polls);
    if (exit)
        at = offer_round(menu, game, state, r, exit->last, exit->polls);
    bool settled = menu->option.n > before && is_patient_poll(tree_call(&game->tree, at));
    if (p->mode == PLAYER_POLLS && (!p->spins || exit) && !settled)
        offer(menu, node_call(&game->tree, at), ANSWER_NO, OP_ID_NONE, OP_ID_NONE);
    close_point(menu, game, r, OP_ID_NONE);
}

static void mark_late(struct menu *menu, size_t first)
{
    for (size_t i = first; i < menu->option.n; i++)
        menu->option.at[i].other = menu->option.at[i].late = menu->option.at[i].departs = true;
}

void menu_fill_with_yeses(struct menu *menu, struct game *game, const struct state *state, rank_t r, node_id at, uint32_t polls)
{
    vec_clear(&menu->option);
    vec_clear(&menu->point);
    menu->planned = 0;
    offer_round(menu, game, state, r, at, polls);
    mark_late(menu, 0);
}

static void offer_later_rounds(struct menu *menu, struct game *game, const struct state *state, rank_t r)
{
    const struct player *p = &state->player[r];
    uint32_t list = 0;
    node_id at;

    while (p->spins && p->mode == PLAYER_POLLS && (at = spin_later(&game->tree, p->node, &list)))
        offer_answers(menu, game, state, r, at);
}

void menu_fill(struct menu *menu, struct game *game, const struct state *state)
{
    vec_clear(&menu->option);
    vec_clear(&menu->point);
    menu->planned = 0;
    if (state->clash != RANK_NONE)
        return;
    for (rank_t r = 0; r < game->ranks; r++) {
        offer_call(menu, game, state, r);
        offer_matches(menu, game, state, r);
        offer_held(menu, game, state, r);
    }
    menu->planned = (uint32_t)menu->option.n;
    for (rank_t r = 0; game->tree.later_poll.n && r < game->ranks; r++)
        offer_later_rounds(menu, game, state, r);
    mark_late(menu, menu->planned);
}

int menu_take(struct game *game, struct state *state, const struct option *option)
{
    const struct tree_op *op = &game->tree.op.at[option->op];
    rank_t r = game->tree.node.at[op->node].rank;
    int status;

    if (option->recv)
        return state_match(game, state, option->send, option->recv);
    if (game->stepwise && (state->player[r].mode == PLAYER_STEPS || state->player[r].mode == PLAYER_PASSES))
        return state_step(game, state, r, option->choice);
    if (op->op->kind == OP_CANCEL)
        return state_cancel(game, state, r, option->choice & 1);
    game->leaps.on = option->leaps;
    status = state_answer(game, state, r, op->node, option->choice, option->send);
    game->leaps.on = false;
    return status;
}
