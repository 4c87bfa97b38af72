/*
 * one_point -- it is enough to decide one thing, and to leave the rest for later.
 *
 * Deciding one point alone is exact if none of its options can go away, and no
 * other option of it can come up, while it is left undecided: then every run
 * from here takes one of these options sometime, and might as well take it now.
 * None goes away (L1, L3, and calls that may return stay so).  What can come up
 * is another send that fits the receive or probe, or the completion of another
 * request in the list of the call.  For that, somebody has to move:
 *
 * - Ranks that can move while the point stays undecided: the least set such that
 *   whoever could return from its call by messages and receives that are there,
 *   or by what ranks in the set may yet bring, is in it.
 * - If one of these sends, in a history already known below where it is, a message
 *   that would be a new option, the point will not do.
 * - Else we assume that it does not, and note that.  If the tree later shows such
 *   a send, the state is expanded again.
 *
 * This is exact because whatever the others can do while the point is undecided
 * they can also do after it was decided, by any option: decisions take nothing
 * from other ranks and forbid no answer that was open.  Those runs are explored,
 * so the tree shows the send if there is one.  (Checked by
 * test/model/explore_brute.c.)
 *
 * Limits: there is no evidence about receives and collectives to come, so a list
 * with an unfinished synchronous send or collective that others may help to
 * finish is never decided alone.
 */
#include "explore/reduction.h"

#include <string.h>

#include "call/window.h"
#include "explore/spin.h"

/* Who can move while `recv` stays unmatched, or while the call of `still` does not return. */
struct view {
    struct game *game;
    const struct state *state;
    struct reducer *reducer;
    op_id recv;
    rank_t still;
    int movers;
};

static bool may_bring(const struct view *view, rank_t from, rank_t to)
{
    const bool *movable = view->reducer->movable;

    return from == RANK_ANY ? view->movers > movable[to] : movable[from];
}

static bool is_message_there(const struct view *view, rank_t at, rank_t from, context_t context, int tag)
{
    return sem_fitting(view->state->sem, at, from, context, tag, view->game->sends) > 0;
}

static bool all_may_join(const struct view *view, op_id coll)
{
    rank_t missing[view->game->ranks];
    int n = sem_coll_missing(view->state->sem, coll, missing);

    for (int i = 0; i < n; i++)
        if (!view->reducer->movable[missing[i]])
            return false;
    return true;
}

/*
 * A send whose first receive is the one that stays open cannot match any other
 * before that does (M3).
 */
static bool may_complete(const struct view *view, op_id id)
{
    struct sem_view op = sem_view(view->state->sem, id);
    op_id first;

    if (op.complete)
        return true;
    switch (op.kind) {
    case SEM_RECV:
        return id != view->recv &&
               (is_message_there(view, op.owner, op.peer, op.context, op.tag) || may_bring(view, op.peer, op.owner));
    case SEM_SEND:
        first = sem_first_recv(view->state->sem, id);
        return first ? first != view->recv : view->reducer->movable[op.peer];
    case SEM_COLL:
        return all_may_join(view, id);
    case SEM_DONE:
        break;
    }
    return true;
}

static bool may_return(const struct view *view, rank_t r, node_id at)
{
    const struct op *call = tree_call(&view->game->tree, at);
    uint32_t n;
    const uint32_t *number = call_list(call, &n);

    if (is_probe(call))
        return is_message_there(view, r, call->peer, call->context, call->tag) || may_bring(view, call->peer, r);
    for (uint32_t i = 0; i < n; i++)
        if (may_complete(view, state_request(view->state, r, number[i])) == is_selective(call))
            return is_selective(call);
    return !is_selective(call) || n == 0;
}

/* The next poll of the round; after the last, none. */
static node_id next_poll(const struct view *view, rank_t r, node_id at, uint32_t i)
{
    const struct player *p = &view->state->player[r];

    return p->spins && i < view->game->tree.node.at[p->node].period ? spin_no(&view->game->tree, at) : NODE_NONE;
}

static bool may_move(const struct view *view, rank_t r)
{
    const struct player *p = &view->state->player[r];
    uint32_t i = 1;

    if (p->mode == PLAYER_OVER || (view->reducer->stays && view->reducer->stays[r]))
        return false;
    if (p->mode == PLAYER_CANCELS ||
        (p->mode == PLAYER_POLLS && (!p->spins || spin_exit(&view->game->tree, p->node))))
        return true;
    for (node_id at = p->node; at; at = next_poll(view, r, at, i++))
        if (may_return(view, r, at))
            return true;
    return false;
}

static void find_movable(struct view *view)
{
    bool *movable = view->reducer->movable, more = true;

    memset(movable, 0, (size_t)view->game->ranks * sizeof *movable);
    while (more) {
        more = false;
        for (rank_t r = 0; r < view->game->ranks; r++)
            if (!movable[r] && r != view->still && may_move(view, r)) {
                movable[r] = more = true;
                view->movers++;
            }
    }
}

/* Whether a rank that rests in front of a cancel sends such a message before its segment is over. */
static bool sends_behind_cancel(const struct view *view, rank_t q, rank_t to, context_t context, int tag)
{
    const struct tree *tree = &view->game->tree;
    const struct player *p = &view->state->player[q];
    const struct node *node = &tree->node.at[p->node];

    for (uint32_t i = p->posted + 1; p->mode == PLAYER_CANCELS && i < node->count; i++) {
        const struct op *op = tree->op.at[node->first_op + i].op;

        if (op->kind == OP_SEND && op->peer == to && op->context == context && tag_set(tag) & tag_set(op->tag))
            return true;
    }
    return false;
}

/* What a receive takes that others may compete with: to the keeper of a window, what is calm comes whenever it likes. */
static uint64_t choosable_tags(context_t context, int tag)
{
    if (context != KEEPER_CONTEXT || tag != TAG_ANY)
        return tag_set(tag);
    return tag_set(WINDOW_EXCLUSIVE) | tag_set(WINDOW_SHARED) | tag_set(WINDOW_ATOMIC) |
           tag_set(WINDOW_POINTER); /* of any class: tags go modulo 64 */
}

/*
 * Assumes that nobody who can move brings such a message, those aside from whom
 * one is an option already: their next comes behind it (M2).  False: it is known
 * to be otherwise.
 */
static bool assume_none(struct view *view, rank_t to, rank_t from, context_t context, int tag, const op_id *known,
                        int n)
{
    struct tree *tree = &view->game->tree;

    for (rank_t q = 0; q < view->game->ranks; q++) {
        struct no_send_assumption doubt = {view->state->player[q].node, 0, choosable_tags(context, tag)};
        bool there = false;

        for (int i = 0; i < n; i++)
            there = there || sem_view(view->state->sem, known[i]).owner == q;
        if (there || (from != RANK_ANY && from != q))
            continue;
        if (sem_keeps_back(view->state->sem, to, q, context, tag))
            return false;
        if (!view->reducer->movable[q])
            continue;
        doubt.mailbox = tree_mailbox(tree, to, context);
        if (sends_behind_cancel(view, q, to, context, tag) || doubt_is_refuted(tree, &doubt))
            return false;
        vec_push(&view->reducer->draft, doubt);
    }
    return true;
}

/* May be cancelled: then an option could go away. */
static bool is_cancellable(const struct view *view, op_id id)
{
    return sem_view(view->state->sem, id).held;
}

static bool match_is_settled(struct view *view)
{
    const struct sem *sem = view->state->sem;
    struct sem_view recv = sem_view(sem, view->recv);
    int open = sem_choices(sem, view->recv, view->game->sends);
    int fitting = sem_fitting(sem, recv.owner, recv.peer, recv.context, recv.tag, view->game->sends);

    for (int i = 0; i < fitting; i++)
        if (is_cancellable(view, view->game->sends[i]))
            return false;
    /* One that fits but is not open is kept for an earlier receive, which may yet take something else. */
    return !is_cancellable(view, view->recv) && open == fitting &&
           assume_none(view, recv.owner, recv.peer, recv.context, recv.tag, view->game->sends, fitting);
}

static bool probe_is_settled(struct view *view, rank_t r, const struct op *call)
{
    const struct sem *sem = view->state->sem;
    int open = sem_probe(sem, r, call->peer, call->context, call->tag, view->game->sends);
    int fitting = sem_fitting(sem, r, call->peer, call->context, call->tag, view->game->sends);

    for (int i = 0; i < fitting; i++)
        if (is_cancellable(view, view->game->sends[i]))
            return false;
    return open == fitting && assume_none(view, r, call->peer, call->context, call->tag, view->game->sends, fitting);
}

/* Whether this incomplete operation stays so. */
static bool stays_incomplete(struct view *view, op_id id)
{
    struct sem_view op = sem_view(view->state->sem, id);

    if (!may_complete(view, id))
        return true;
    return op.kind == SEM_RECV && !is_message_there(view, op.owner, op.peer, op.context, op.tag) &&
           assume_none(view, op.owner, op.peer, op.context, op.tag, NULL, 0);
}

static bool list_is_settled(struct view *view, rank_t r, const struct op *call)
{
    uint32_t n, complete = 0;
    const uint32_t *number = call_list(call, &n);

    for (uint32_t i = 0; i < n; i++) {
        op_id id = state_request(view->state, r, number[i]);
        size_t drafted = view->reducer->draft.n;

        if (sem_view(view->state->sem, id).complete)
            complete++;
        else if (stays_incomplete(view, id) != is_selective(call))
            return !is_selective(call); /* of a Testall, one that stays incomplete is enough */
        else if (!is_selective(call))
            view->reducer->draft.n = drafted;
    }
    return is_selective(call) || complete == n;
}

/* Going on is all there is to do if the operation cannot match any more, or has. */
static bool cancel_is_settled(struct view *view, rank_t r)
{
    op_id id = state_cancelled(view->game, view->state, r);
    struct sem_view op = sem_view(view->state->sem, id);

    return op.matched || op.kind == SEM_COLL || (op.kind == SEM_RECV && (op.complete || stays_incomplete(view, id)));
}

static bool call_is_settled(struct view *view, rank_t r)
{
    uint32_t i = 1;

    if (view->state->player[r].mode == PLAYER_CANCELS)
        return cancel_is_settled(view, r);

    for (node_id at = view->state->player[r].node; at; at = next_poll(view, r, at, i++)) {
        const struct op *call = tree_call(&view->game->tree, at);

        if (!(is_probe(call) ? probe_is_settled(view, r, call) : list_is_settled(view, r, call)))
            return false;
    }
    return true;
}

static bool is_settled(struct view *view, const struct point *point)
{
    vec_clear(&view->reducer->draft);
    find_movable(view);
    return point->recv ? match_is_settled(view) : call_is_settled(view, point->rank);
}

/* Of the first so many points that will do, the one that rests on the fewest doubts. */
static int choose_among(struct reducer *reducer, struct game *game, const struct state *state, const struct menu *menu,
                        int enough)
{
    int best = -1, settled = 0;

    if (!reducer->movable)
        reducer->movable = xcalloc((size_t)game->ranks, sizeof *reducer->movable);
    vec_clear(&reducer->doubt);
    for (size_t i = 0; i < menu->point.n && settled < enough; i++) {
        const struct point *point = &menu->point.at[i];
        struct view view = {game, state, reducer, point->recv, point->recv ? RANK_NONE : point->rank, 0};

        if (!is_settled(&view, point))
            continue;
        settled++;
        if (best < 0 || reducer->draft.n < reducer->doubt.n) {
            best = (int)i;
            vec_clear(&reducer->doubt);
            for (size_t k = 0; k < reducer->draft.n; k++)
                vec_push(&reducer->doubt, reducer->draft.at[k]);
        }
        if (!reducer->doubt.n)
            break;
    }
    return best;
}

static int choose_one(struct reducer *reducer, struct game *game, const struct state *state, const struct menu *menu)
{
    enum { ENOUGH = 4 }; /* to look at all would take time with every rank that has something to decide */

    return choose_among(reducer, game, state, menu, ENOUGH);
}

static int choose_first(struct reducer *reducer, struct game *game, const struct state *state, const struct menu *menu)
{
    return choose_among(reducer, game, state, menu, 1);
}

const struct reduction reduction_one_point = {"one point", choose_one};
const struct reduction reduction_first_point = {"first point", choose_first};
