#include "explore/slack_safety.h"

#include "base/deadline.h"
#include "base/hash.h"
#include "explore/slack_deadlocks.h"

enum { MOST_RANKS = 64 }; /* as many as a set of ranks has bits */

void slack_safety_release(struct slack_safety *safety)
{
    seen_release(&safety->safe);
    seen_release(&safety->unsafe);
    step_index_release(&safety->met);
    seen_release(&safety->doubted);
    vec_release(&safety->doubt);
    takers_release(&safety->takers);
    *safety = (struct slack_safety){0};
}

/* A state on the way to the one that is looked at, and what is tried in it. */
struct visited {
    struct state *state; /* owns */
    uint64_t staying;    /* ranks that stay in their calls, as bits */
    struct map_key key;
    rank_t held;         /* of this rank alone, whether it stays or not; RANK_NONE: */
    uint32_t first, until; /* these options of the menu, and if `loosens`, what can be loosened alone */
    bool planned, loosens;
    uint32_t taken;
};

struct inquiry {
    struct game *game;
    struct menu *menu;
    struct slack_safety *safety;
    const struct slack_question *question;
    VEC(struct visited) way;
    bool stays[MOST_RANKS]; /* the ranks that stay in the last of these */
    ids_t ids, single;
    bool unsafe;
};

static bool is_held_as_whole(const struct inquiry *q, const struct state *state, rank_t r)
{
    return state->player[r].mode != PLAYER_POLLS && !is_selective(state_call(q->game, state, r));
}

static bool may_be_held(const struct state *state, rank_t r)
{
    return state->player[r].mode != PLAYER_OVER && state->player[r].mode != PLAYER_CANCELS;
}

/* Somebody who is held up by a call that waits for all it is about, and of whom it is open whether it stays; what is to be loosened is in `ids`. */
static rank_t find_rank_held(struct inquiry *q, const struct visited *at)
{
    for (rank_t r = 0; r < q->game->ranks; r++) {
        if (!may_be_held(at->state, r) || at->staying >> r & 1 || !is_held_as_whole(q, at->state, r))
            continue;
        tight_loosening_together(q->game, at->state, r, &q->ids);
        if (q->ids.n)
            return r;
    }
    return RANK_NONE;
}

/* What can be loosened that lets a call return though it is about others, too: such a rank never just stays. */
static void list_single(struct inquiry *q, const struct state *state)
{
    vec_clear(&q->single);
    for (rank_t r = 0; r < q->game->ranks; r++) {
        if (!may_be_held(state, r) || is_held_as_whole(q, state, r))
            continue;
        tight_loosening(q->game, state, r, &q->ids);
        for (size_t i = 0; i < q->ids.n; i++)
            vec_push(&q->single, q->ids.at[i]);
    }
}

static void note_doubts(struct inquiry *q)
{
    const struct reducer *reducer = q->question->reducer;

    for (size_t i = 0; i < reducer->doubt.n; i++) {
        struct map_key key = HASH_START;

        hash_stir(&key, (uint64_t)reducer->doubt.at[i].node << 32 | reducer->doubt.at[i].mailbox);
        hash_stir(&key, reducer->doubt.at[i].tags);
        if (seen_add(&q->safety->doubted, key))
            vec_push(&q->safety->doubt, reducer->doubt.at[i]);
    }
}

/* The options to be tried where nobody is held up who might stay or not. */
static void plan_options(struct inquiry *q, struct visited *at)
{
    struct reducer *reducer = q->question->reducer;
    int point = -1;

    for (rank_t r = 0; r < q->game->ranks; r++)
        q->stays[r] = at->staying >> r & 1;
    reducer->stays = q->stays;
    at->until = (uint32_t)q->menu->option.n;
    at->loosens = q->single.n > 0;
    if (q->menu->point.n && !at->loosens)
        point = q->question->reduction->choose(reducer, q->game, at->state, q->menu);
    reducer->stays = NULL;
    if (point < 0)
        return;
    note_doubts(q);
    at->first = q->menu->point.at[point].first;
    at->until = at->first + q->menu->point.at[point].n;
}

/* Whether a run was broken off there, so that nobody knows what else would have been received. */
static bool was_broken_off(const struct inquiry *q, const struct state *state)
{
    for (rank_t r = 0; r < q->game->ranks; r++)
        if (state->player[r].mode == PLAYER_OVER && q->game->tree.node.at[state->player[r].node].end != SEGMENT_EXIT)
            return true;
    return state->clash != RANK_NONE;
}

/* Those that share one are taken for each other: then more are tried staying. */
static uint64_t bit_of_rank(rank_t r)
{
    return UINT64_C(1) << r % 64;
}

/* Of a state in which nothing happens any more, though nobody stays: which ranks leave messages; all of them, as far as is known, if it was broken off. */
static void note_losses(struct inquiry *q, const struct state *state)
{
    if (was_broken_off(q, state))
        q->safety->losing = UINT64_MAX;
    for (rank_t r = 0; r < q->game->ranks; r++) {
        op_id first;

        if (sem_unmatched(state->sem, r, &first, 1) && sem_view(state->sem, first).kind == SEM_SEND)
            q->safety->losing |= bit_of_rank(r);
    }
}

/* Fills in menu and lists, and says what is tried, which is always the same; or finds that it is a deadlock. */
static void plan_steps(struct inquiry *q, struct visited *at)
{
    at->held = find_rank_held(q, at);
    if (at->held != RANK_NONE)
        return;
    menu_fill(q->menu, q->game, at->state);
    list_single(q, at->state);
    if (at->planned)
        return;
    at->planned = true;
    if (!q->menu->point.n && !at->staying && !q->single.n)
        note_losses(q, at->state);
    if (!q->menu->point.n && (at->staying || q->single.n) && slack_state_is_deadlock(q->game, q->menu, at->state))
        q->unsafe = true;
    else
        plan_options(q, at);
}

/* Whether it is a send that will not be left waiting for good, as is known of the histories of its receiver. */
static bool is_taken_in_time(struct inquiry *q, const struct visited *at, op_id id)
{
    enum { LEAST_WORK = 1 << 20, WORK = 16 };
    struct sem_view view = sem_view(at->state->sem, id);
    struct envelope message = {view.peer, view.owner, view.context, view.tag};

    return view.kind == SEM_SEND && !view.matched && !(q->safety->losing & bit_of_rank(view.peer)) &&
           takers_take(&q->safety->takers, &q->game->tree, at->state->player[view.peer].node, &message,
                       LEAST_WORK + WORK * q->safety->looked_at);
}

/*
 * Whether the rank that is held up need not be tried staying (L19).  It is asked when all that follows if it does not stay is known: so are all histories
 * that can follow from here, and the messages that are never received.
 */
static bool stays_in_vain(struct inquiry *q, const struct visited *at)
{
    for (size_t i = 0; i < q->ids.n; i++)
        if (!is_taken_in_time(q, at, q->ids.at[i]))
            return false;
    return true;
}

static uint32_t count_steps(struct inquiry *q, const struct visited *at)
{
    if (at->held != RANK_NONE)
        return at->taken == 1 && stays_in_vain(q, at) ? 1 : 2;
    return at->until - at->first + (at->loosens ? (uint32_t)q->single.n : 0);
}

/* Takes the n-th step that is tried; -1: the runner failed. */
static int take_step(struct inquiry *q, const struct visited *from, uint32_t n, struct visited *to)
{
    uint32_t options = from->until - from->first;

    if (from->held != RANK_NONE && n == 1) {
        to->staying |= UINT64_C(1) << from->held;
        return 0;
    }
    if (from->held != RANK_NONE)
        return state_loosen(q->game, to->state, q->ids.at, q->ids.n);
    if (n < options)
        return menu_take(q->game, to->state, &q->menu->option.at[from->first + n]);
    return state_loosen(q->game, to->state, &q->single.at[n - options], 1);
}

/* Whether somebody has gone on who was to stay. */
static bool has_left(const struct inquiry *q, const struct visited *from, const struct visited *to)
{
    for (rank_t r = 0; r < q->game->ranks; r++) {
        const struct player *here = &from->state->player[r], *there = &to->state->player[r];

        if (to->staying >> r & 1 && (here->node != there->node || here->posted != there->posted))
            return true;
    }
    return false;
}

/* Takes a state that was reached: to be gone on from, unless what it leads to is known. */
static void arrive_at(struct inquiry *q, struct visited at)
{
    at.key = at.state->key;
    if (at.staying)
        hash_stir(&at.key, at.staying);
    if (seen_has(&q->safety->unsafe, at.key))
        q->unsafe = true;
    if (q->unsafe || seen_has(&q->safety->safe, at.key)) {
        state_free(q->game, at.state);
        return;
    }
    q->safety->looked_at++;
    vec_push(&q->way, at);
}

/* Nothing that it leads to was left out. */
static void leave_safe(struct inquiry *q)
{
    struct visited last = vec_pop(&q->way);

    seen_add(&q->safety->safe, last.key);
    state_free(q->game, last.state);
}

/* One step from the last state of the way; -1: the runner failed. */
static int look_further(struct inquiry *q)
{
    struct visited *last = &vec_last(&q->way);
    struct visited next = {.staying = last->staying};

    plan_steps(q, last);
    if (q->unsafe)
        return 0;
    if (last->taken == count_steps(q, last)) {
        leave_safe(q);
        return 0;
    }
    next.state = state_clone(q->game, last->state);
    if (take_step(q, last, last->taken++, &next) < 0) {
        state_free(q->game, next.state);
        return -1;
    }
    if (has_left(q, last, &next))
        state_free(q->game, next.state);
    else
        arrive_at(q, next);
    return 0;
}

/* All that are on the way to a deadlock lead to it. */
static void give_up_way(struct inquiry *q)
{
    while (q->way.n) {
        struct visited last = vec_pop(&q->way);

        if (q->unsafe)
            seen_add(&q->safety->unsafe, last.key);
        state_free(q->game, last.state);
    }
}

int slack_is_safe(struct slack_safety *safety, const struct slack_question *question, const struct state *state)
{
    struct game *game = question->game;
    struct inquiry q = {.game = game, .menu = question->menu, .safety = safety, .question = question};
    uint64_t last = safety->looked_at + question->most_states, segments = game->tree.segments;
    bool deaf = game->disputes.deaf, ends = game->last;
    int failed = 0;

    if (game->ranks > MOST_RANKS)
        return 0;
    game->disputes.deaf = true;
    game->last = false;
    arrive_at(&q, (struct visited){.state = state_clone(game, state)});
    while (q.way.n && !q.unsafe && !failed && !game->learned && safety->looked_at < last && !deadline_is_over() &&
           game->tree.segments - segments < question->most_segments)
        failed = look_further(&q);
    safety->segments += game->tree.segments - segments;
    game->disputes.deaf = deaf;
    game->last = ends;
    give_up_way(&q);
    vec_release(&q.way);
    vec_release(&q.ids);
    vec_release(&q.single);
    if (failed)
        return -1;
    return seen_has(&safety->safe, state->key);
}

bool slack_safety_is_refuted(const struct slack_safety *safety, const struct tree *tree)
{
    for (size_t i = 0; i < safety->doubt.n; i++)
        if (doubt_is_refuted(tree, &safety->doubt.at[i]))
            return true;
    return false;
}
