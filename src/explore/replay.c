/*
 * replay -- one run once more, by its decisions.
 *
 * They are known by names, not by numbers of a tree: so they mean something in
 * another session.
 */
#include "explore/search.h"

#include <string.h>

#include "explore/way_out.h"

const struct account *explore_replayed(const struct explorer *x)
{
    return &x->account;
}

static struct decision replayed_decision(struct explorer *x, const struct option *option)
{
    return x->manner.silent ? account_silent_decision(x, option->op, option->choice) : account_decision(x, option->op, option->choice);
}

/*
 * Polls.  Where a round of them begins depends on what the search knew, images say,
 * and this one may not.  But the decisions name operations.  So nobody spins while
 * there are decisions to make: a poll that the run is past is told no.
 */
static struct option *no_on_the_way(struct explorer *x, const struct decision *decision)
{
    for (size_t i = 0; i < x->menu.option.n; i++) {
        struct option *option = &x->menu.option.at[i];
        struct decision d = replayed_decision(x, option);

        if (d.kind == DECIDED_NO && d.rank == decision->rank && d.op < decision->op)
            return option;
    }
    return NULL;
}

/* If it leapt, it leaps again. */
static void leave_noes(struct explorer *x, struct option *option, uint32_t noes)
{
    option->leaps = noes;
    x->game.leaps.noes = noes;
}

/* ---- a run to its end ---- */

/* Which of the receives of a keeper it is depends on what it took before, calm messages included: its decisions are known by their order there. */
static bool is_same_in_order(const struct explorer *x, const struct decision *a, const struct decision *b)
{
    struct decision other = *b;

    if (a->rank >= x->game.keepers)
        other.op = a->op;
    return decision_is_same(a, &other);
}

static struct option *decided_option(struct explorer *x, const struct decision *decision)
{
    for (size_t i = 0; i < x->menu.option.n; i++) {
        struct option *option = &x->menu.option.at[i];
        struct decision d = replayed_decision(x, option);

        if (x->manner.has_slow ? is_same_in_order(x, &d, decision) : decision_is_same(&d, decision)) {
            leave_noes(x, option, decision->noes);
            return option;
        }
    }
    return NULL;
}

/* What is to be taken next of the menu; NULL: the next decision cannot be made, or there is nothing more. */
static const struct option *next_option(struct explorer *x, size_t n, const struct decision *decision)
{
    const struct option *option = x->decisions.n < n  ? decided_option(x, &decision[x->decisions.n])
                                  : x->menu.option.n ? x->menu.option.at
                                                     : NULL;

    if (option)
        vec_push(&x->decisions, account_decision(x, option->op, option->choice));
    else if (x->decisions.n < n)
        option = no_on_the_way(x, &decision[x->decisions.n]);
    return option;
}

/* Whether something can be decided for ever, and nothing leads to an end, as far as can be seen: somebody spins on a window. */
static bool is_spinning(struct explorer *x, const struct state *state)
{
    bool before = x->game.unsure, spins;

    if (!x->menu.option.n || !game_has_spinners(&x->game))
        return false;
    x->game.unsure = false;
    spins = way_out_is_missing(&x->game, state) || (x->manner.endless && x->game.unsure);
    x->game.unsure |= before;
    return spins;
}

/* ---- a rank that is slow ---- */

static bool is_of_earlier_keeper(const struct decision *decision, size_t next, size_t at)
{
    for (size_t i = next; i < at; i++)
        if (decision[i].rank == decision[at].rank)
            return true;
    return false;
}

/* What a window or its lock takes can be decided before what the run has decided elsewhere: neither depends on the other, or it could not be. */
static bool can_be_made_now(struct explorer *x, const struct decision *decision, size_t next, size_t at)
{
    bool early = decision[at].rank >= x->game.keepers && !is_of_earlier_keeper(decision, next, at);
    return (at == next || early) && decided_option(x, &decision[at]);
}

/* The first of the decisions that are left, if there is one, that can be made becomes the next one. */
static bool find_next_decision(struct explorer *x, size_t n, struct decision *decision)
{
    enum { AHEAD = 256 };
    size_t next = x->decisions.n, most = x->manner.ahead ? AHEAD : 1, end = n - next > most ? next + most : n, at = next;
    while (at < end && !can_be_made_now(x, decision, next, at))
        at++;
    if (at >= end)
        return false;
    struct decision found = decision[at];
    memmove(&decision[next + 1], &decision[next], (at - next) * sizeof *decision);
    decision[next] = found;
    return true;
}

/*
 * It has got a lock, say, and heard what others have changed in windows, and waits with what it loads there: as long as a decision of the run can be made without it, that is
 * made first.  So it loads before others store, unless it has to wait for them (W14).
 */
static bool is_time_for_slow(struct explorer *x, const struct state *state, size_t n, struct decision *decision)
{
    return state_holds_slow(&x->game, state) && (x->decisions.n >= n || !find_next_decision(x, n, decision));
}

/* What a window or its lock takes of the slow rank lets it go on, up to where it has heard what others have changed. */
static void hold_slow_after(struct explorer *x, const struct option *option)
{
    struct decision d = replayed_decision(x, option);
    if (d.rank >= x->game.keepers && d.source == x->game.slow)
        x->game.slow_is_held = SLOW_TO_BE_HELD;
}

/* `decision` is put into the order in which they are made. */
static int replay(struct explorer *x, size_t n, struct decision *decision, uint32_t rounds)
{
    size_t ended = x->ended.n;
    struct state *state;

    account_begin(x);
    x->game.spin.rounds = 0;
    state = state_begin(&x->game, x->options.slack);
    while (state) {
        const struct option *option;
        struct pick pick;
        bool spins;

        if (x->decisions.n >= n && state_spin(&x->game, state, rounds) < 0)
            break;
        menu_fill(&x->menu, &x->game, state);
        if (is_time_for_slow(x, state, n, decision)) {
            if (state_let_slow_go(&x->game, state) < 0)
                break;
            continue;
        }
        spins = x->decisions.n >= n && is_spinning(x, state);
        option = spins ? NULL : next_option(x, n, decision);
        if (!option) {
            account_end(x, state);
            if (spins)
                search_tell_spinning(x, state, 0);
            else if (x->decisions.n >= n)
                search_tell(x, state, 0);
            state_free_with_tight(&x->game, state);
            return x->ended.n > ended ? 0 : -1; /* it is not if this is no end */
        }
        pick = option_pick(option);
        if (x->game.has_slow)
            hold_slow_after(x, option);
        if (search_take(x, state, option) < 0)
            return -1;
        account_note_leap(x, pick);
    }
    if (state)
        state_free_with_tight(&x->game, state);
    return -1;
}

int explore_replay(struct explorer *x, struct replay_manner manner, size_t n, const struct decision *decision, visit_fn *visit,
                   void *visitor)
{
    uint32_t rounds = x->game.spin.rounds;
    struct decision *ordered = xmemdup(decision, n, sizeof *decision);
    int status;

    x->manner = manner;
    x->game.has_slow = manner.has_slow;
    x->game.slow = manner.slow;
    x->visit = visit;
    x->visitor = visitor;
    status = replay(x, n, ordered, rounds);
    free(ordered);
    x->game.has_slow = false;
    x->game.slow_is_held = SLOW_FREE;
    x->game.trails = NULL;
    x->game.spin.rounds = rounds;
    return status;
}

/* ---- one that is held up on the way ---- */

/* A decision to be made. */
struct pending {
    struct decision decision;
    uint32_t after; /* the next of its operation, in `pending` + 1; 0: none */
    bool made;
};

/* It does not matter in which order (tight.h), but for decisions of one operation, a poll, or of the keeper of a window. */
struct held {
    struct explorer *x;
    struct tight *tight;
    VEC(struct pending) pending;
    size_t left;       /* of these */
    struct map next;   /* by operation: the first that is left, in `pending` + 1; 0: none */
    size_t buffered;
    const struct op_name *buffered_op;
};

static struct map_key decision_key(const struct held *held, const struct decision *d)
{
    return map_key2((uint64_t)d->rank, d->rank >= held->x->game.keepers ? UINT64_MAX : d->op);
}

/* From the last to the first, so that of one operation the first is found. */
static void list_pending(struct held *held, size_t n, const struct decision *decision)
{
    vec_reserve(&held->pending, n);
    held->pending.n = held->left = n;
    for (size_t i = n; i-- > 0;) {
        held->pending.at[i] = (struct pending){decision[i], map_find(&held->next, decision_key(held, &decision[i]), 0), false};
        map_put(&held->next, decision_key(held, &decision[i]), (uint32_t)i + 1);
    }
}

static void strike_out(struct held *held, struct pending *pending)
{
    pending->made = true;
    map_put(&held->next, decision_key(held, &pending->decision), pending->after);
    held->left--;
}

static bool about_same_op(const struct decision *a, const struct decision *b)
{
    return a->rank == b->rank && a->op == b->op;
}

static bool about_same_message(const struct decision *a, const struct decision *b)
{
    return a->source == b->source && a->message == b->message;
}

/* The next of this operation, if it is this one; else NULL. */
static struct pending *find_pending(const struct held *held, const struct decision *d)
{
    uint32_t next = map_find(&held->next, decision_key(held, d), 0);

    return next && is_same_in_order(held->x, &held->pending.at[next - 1].decision, d) ? &held->pending.at[next - 1] : NULL;
}

/* As in tight.c: what was seen before it was withdrawn, is to be seen first. */
static bool is_cancel_too_early(const struct held *held, const struct decision *d)
{
    for (size_t i = 0; i < held->pending.n && d->kind == DECIDED_CANCEL && d->set; i++)
        if (!held->pending.at[i].made && held->pending.at[i].decision.kind == DECIDED_SEEN &&
            about_same_message(&held->pending.at[i].decision, d))
            return true;
    return false;
}

static bool is_spoken_for(const struct decision *pending, const struct decision *d)
{
    if (pending->kind == DECIDED_CANCEL)
        return pending->set &&
               (about_same_message(pending, d) || (pending->source == d->rank && pending->message == d->op));
    return about_same_op(pending, d) ||
           ((pending->kind == DECIDED_MATCH || pending->kind == DECIDED_SEEN) && about_same_message(pending, d));
}

/* Open here only because what it takes may be cancelled, and in the run it no longer was (tight.c). */
static bool was_certain_in_run(const struct held *held, const struct option *option, const struct decision *d)
{
    const struct op *op = held->x->game.tree.op.at[option->op].op;

    if ((op->kind != OP_RECV && op->kind != OP_PROBE) || op->peer == RANK_ANY)
        return false;
    for (size_t i = 0; i < held->pending.n; i++)
        if (!held->pending.at[i].made && is_spoken_for(&held->pending.at[i].decision, d))
            return false;
    return true;
}

/* Takes an option, with so many noes if it is one; where one leaps, that is to be known. */
static int take_held(struct held *held, struct option *option, uint32_t noes)
{
    struct explorer *x = held->x;
    struct pick pick;

    leave_noes(x, option, noes);
    pick = option_pick(option);
    if (noes)
        vec_push(&x->decisions, account_decision(x, pick.op, pick.choice));
    if (menu_take(&x->game, held->tight->state, option) < 0)
        return -1;
    account_note_leap(x, pick);
    return 0;
}

/* "No" to a poll that stands before a pending decision: 1; 0: there is none. */
static int poll_on(struct held *held)
{
    struct explorer *x = held->x;
    struct option *option = NULL;

    menu_fill(&x->menu, &x->game, held->tight->state);
    for (size_t i = 0; i < held->pending.n && !option; i++)
        option = held->pending.at[i].made ? NULL : no_on_the_way(x, &held->pending.at[i].decision);
    if (!option)
        return 0;
    return take_held(held, option, tree_leap(&x->game.tree, x->game.tree.op.at[option->op].node)) < 0 ? -1 : 1;
}

/* Makes one decision: 1; 0: none can be made. */
static int decide_one(struct held *held)
{
    struct explorer *x = held->x;

    menu_fill(&x->menu, &x->game, held->tight->state);
    for (size_t i = 0; i < x->menu.option.n; i++) {
        struct option *option = &x->menu.option.at[i];
        struct decision d = account_decision(x, option->op, option->choice);
        struct pending *pending = find_pending(held, &d);
        uint32_t noes = pending ? pending->decision.noes : 0;

        if (pending && !is_cancel_too_early(held, &d)) {
            strike_out(held, pending);
            if (!noes)
                vec_push(&x->decisions, d);
        } else if (!was_certain_in_run(held, option, &d)) {
            continue;
        }
        return take_held(held, option, noes) < 0 ? -1 : 1;
    }
    return 0;
}

static bool was_buffered(const struct held *held, struct op_name name)
{
    for (size_t i = 0; i < held->buffered; i++)
        if (held->buffered_op[i].rank == name.rank && held->buffered_op[i].op == name.op)
            return true;
    return false;
}

/* Lets go whoever is held up by what is buffered: 1; 0: nobody is. */
static int let_held_go(struct held *held)
{
    struct explorer *x = held->x;
    ids_t ids = {0}, buffered = {0};
    int done;

    for (rank_t r = 0; r < x->game.ranks; r++) {
        tight_loosening(&x->game, held->tight->state, r, &ids);
        for (size_t i = 0; i < ids.n; i++) {
            uint32_t user = sem_view(held->tight->state->sem, ids.at[i]).user;
            struct op_name name = {r, trails_number(&x->trails, &x->game.tree, user)};

            if (!was_buffered(held, name))
                continue;
            vec_push(&buffered, ids.at[i]);
            vec_push(&x->buffered, name);
        }
    }
    done = buffered.n > 0;
    if (done && tight_loosen_all(&x->game, &x->menu, held->tight, &buffered) < 0)
        done = -1;
    vec_release(&ids);
    vec_release(&buffered);
    return done;
}

static void held_begin(struct held *held, struct explorer *x, const struct held_run *run)
{
    *held = (struct held){.x = x, .buffered = run->buffered, .buffered_op = run->buffered_op};
    account_begin(x);
    x->game.spin.rounds = 0;
    list_pending(held, run->decisions, run->decision);
}

static void held_release(struct held *held)
{
    vec_release(&held->pending);
    map_release(&held->next);
    if (held->tight)
        tight_free(&held->x->game, held->tight);
}

/* Makes what can be made; -1: the runner failed. */
static int decide_all(struct held *held, uint32_t rounds)
{
    struct explorer *x = held->x;
    int done = 1;

    while (done > 0) {
        if (!held->left && state_spin(&x->game, held->tight->state, rounds) < 0)
            return -1;
        done = decide_one(held);
        if (done == 0)
            done = let_held_go(held);
        if (done == 0)
            done = tight_answer_askers(&x->game, &x->menu, held->tight);
        if (done == 0)
            done = poll_on(held);
    }
    return done;
}

/* Whether something is left that can lead to an end. */
static bool held_can_go_on(const struct held *held)
{
    return held->x->menu.option.n && !is_spinning(held->x, held->tight->state);
}

int explore_replay_held(struct explorer *x, const struct held_run *run, visit_fn *visit, void *visitor)
{
    struct held held;
    uint32_t rounds = x->game.spin.rounds;
    int done;

    x->visit = visit;
    x->visitor = visitor;
    held_begin(&held, x, run);
    held.tight = tight_begin(&x->game, SLACK_TIGHT);
    done = held.tight ? decide_all(&held, rounds) : -1;
    if (done == 0)
        account_end(x, held.tight->state);
    if (done == 0 && (held.left || held_can_go_on(&held)))
        done = -1;
    if (done == 0) {
        held.tight->mixed = run->mixed;
        search_tell_slack_deadlock(x, held.tight);
    }
    held_release(&held);
    x->game.trails = NULL;
    x->game.spin.rounds = rounds;
    return done;
}

/* ---- one beside the search ---- */

/* Takes the first of what is open: 1; 0: nothing is. */
static int take_first_option(struct held *held)
{
    struct explorer *x = held->x;

    if (!x->menu.option.n)
        return 0;
    vec_push(&x->decisions, account_decision(x, x->menu.option.at[0].op, x->menu.option.at[0].choice));
    return menu_take(&x->game, held->tight->state, &x->menu.option.at[0]) < 0 ? -1 : 1;
}

static int try_run(struct explorer *x, const struct tried_run *run, uint32_t rounds)
{
    struct held held;
    int done;

    held_begin(&held, x, &run->run);
    held.tight = tight_begin(&x->game, run->unbuffered ? SLACK_TIGHT : x->options.slack);
    done = held.tight ? decide_all(&held, rounds) : -1;
    vec_clear(&held.pending); /* what never came up must not keep those who poll from going round */
    map_release(&held.next);
    held.left = 0;
    if (done == 0)
        done = decide_all(&held, rounds);
    while (done == 0 && run->on && (done = take_first_option(&held)) > 0)
        done = decide_all(&held, rounds);
    for (size_t i = 0; i < run->unbuffered; i++)
        vec_push(&x->unbuffered, run->unbuffered_op[i]);
    if (done == 0)
        account_end(x, held.tight->state);
    if (x->menu.option.n)
        done = -1;
    if (done == 0 && run->unbuffered)
        search_tell_slack_deadlock(x, held.tight);
    else if (done == 0)
        search_tell_tried(x, held.tight->state);
    held_release(&held);
    return done;
}

int explore_try(struct explorer *x, const struct tried_run *run, visit_fn *visit, void *visitor)
{
    visit_fn *search_visit = x->visit;
    void *search_visitor = x->visitor;
    struct explore_result result = x->result;
    uint32_t rounds = x->game.spin.rounds, telling = x->telling;
    int done;

    x->visit = visit;
    x->visitor = visitor;
    x->telling = 0;
    x->game.disputes.deaf = true;
    done = try_run(x, run, rounds);
    x->game.disputes.deaf = false;
    x->game.trails = NULL;
    x->game.spin.rounds = rounds;
    x->telling = telling;
    x->result = result;
    x->visit = search_visit;
    x->visitor = search_visitor;
    return done;
}
