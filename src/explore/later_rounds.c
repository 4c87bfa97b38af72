/*
 * later_rounds -- a poll that says yes after many noes, though something has changed in the rank since the first of them (spin.h).
 *
 * To the search a round of polls is one wait: yes comes in the first round or, if the rank gives up or comes to rest after many rounds, in the last of
 * these.  But between polls a rank may have done work of its own, and what it does with a message may depend on how much is left.
 * To try each round takes too long, and of what ranks count most is never looked at.  So when the search is at its end, this is tried beside it, once in a run:
 *
 * - Yes after 1, 2, 4, 8 rounds and so on, in the last one that was looked at and, if the rank gives up there, so many rounds before that.
 * - Between two of these after which the rank does not do the same, in what comes next, the two rounds are found by halving that lie on both
 *   sides of a change: where it has finished its work, as a rule.
 *
 * This is done in the first state in which a poll can say that, in the order in which the search came there.  First one run is made of each,
 * and then what it left open is searched like everything else.  All of it may take a quarter of the work of the search, in a measure that does not
 * depend on the machine.  If that is not enough it is said how far it came (struct polled).  Without images every loop of polls might be
 * one that changes something, so then nothing of this is done.
 */
#include "explore/search.h"

#include "base/deadline.h"
#include "base/hash.h"
#include "base/log.h"

enum {
    SEGMENT_WORK = 30,   /* as in deepening.c */
    LEAST_WORK = 20000,  /* that may be done, */
    SHARE = 4,           /* and this part of the work of the search */
    AHEAD = 256,         /* polls that are met only then are not followed for longer, if nothing is known of their place */
    WINDOW = 8,          /* decisions after which what a rank has done is compared */
    MOST_CHANGES = 4,    /* that are looked for by halving in one state */
};

void later_rounds_release(struct later_rounds *later)
{
    vec_release(&later->state);
    map_release(&later->known);
    vec_release(&later->rest);
    menu_release(&later->menu);
    menu_release(&later->beside);
    vec_release(&later->chain);
    vec_release(&later->round);
    *later = (struct later_rounds){0};
}

/* ---- where ---- */

static struct polls_ahead *polls_ahead_of(struct explorer *x, const struct state *state, rank_t r)
{
    const struct player *p = &state->player[r];
    uint32_t ahead = p->spins && p->mode == PLAYER_POLLS ? x->game.tree.node.at[p->node].polls_ahead : 0;

    return ahead ? &x->game.tree.polls_ahead.at[ahead - 1] : NULL;
}

/* Whether it offers a yes that no state before had. */
static bool offers_new_yes(struct explorer *x, const struct point *point)
{
    bool new = false;

    for (uint32_t i = point->first; i < point->first + point->n; i++) {
        const struct option *option = &x->menu.option.at[i];
        struct map_key key = map_key2(option->op, option->choice);
        uint32_t known;

        if (option->choice == ANSWER_NO || map_get(&x->later.known, key, &known))
            continue;
        map_put(&x->later.known, key, 1);
        new = true;
    }
    return new;
}

void search_note_later_rounds(struct explorer *x, const struct state *state, uint32_t step, int point)
{
    for (size_t i = 0; x->options.later_rounds && !x->later.on && i < x->menu.point.n; i++) {
        const struct point *at = &x->menu.point.at[i];
        struct polls_ahead *ahead = at->recv ? NULL : polls_ahead_of(x, state, at->rank);

        if (!ahead || (point >= 0 && (size_t)point != i) || !offers_new_yes(x, at))
            continue;
        ahead->states++;
        vec_push(&x->later.state, (struct later_state){step, at->rank});
    }
}

/* ---- how much ---- */

static uint64_t counted_work(const struct explorer *x)
{
    const struct tree *tree = &x->game.tree;

    return x->result.steps + x->result.retraced + SEGMENT_WORK * (tree->segments - tree->unseen) + tree->unseen;
}

static bool is_enough(const struct explorer *x)
{
    return counted_work(x) > x->later.until;
}

bool search_pauses_later_rounds(const struct explorer *x)
{
    return x->later.on && (is_enough(x) || (x->later.one_run && (x->ended.n > x->later.ended || x->detour.n > x->later.detours)));
}

/* What only the whole search shows is worth more than some of what can follow here, so time is left for that. */
static bool must_stop(struct explorer *x)
{
    return x->game.learned || x->game.tree.failed || is_enough(x) || deadline_is_imminent() || search_is_over(x);
}

/* ---- which rounds ---- */

/* The polls of the state's rank that are known to go round, up to the last round, which the search tries by itself if the rank gives up then. */
static uint32_t find_chain(struct explorer *x, const struct state *state, rank_t r)
{
    struct tree *tree = &x->game.tree;
    node_id head = state->player[r].node, at = head;
    const struct polls_ahead *exit = spin_exit(tree, head);
    uint32_t polls = spin_reach(tree, head) - (exit ? exit->polls : 0), period = tree->node.at[head].period;

    vec_clear(&x->later.chain);
    for (uint32_t i = 0; i < polls && at && (at == head || spin_only_polls(tree, at)); i++) {
        vec_push(&x->later.chain, at);
        at = i + 1 < polls ? spin_no(tree, at) : at;
    }
    return (uint32_t)x->later.chain.n / period;
}

static void add_round(struct explorer *x, uint32_t round)
{
    size_t i = x->later.round.n;

    while (i > 0 && x->later.round.at[i - 1] > round)
        i--;
    if (i > 0 && x->later.round.at[i - 1] == round)
        return;
    vec_push(&x->later.round, round);
    for (size_t k = x->later.round.n - 1; k > i; k--)
        x->later.round.at[k] = x->later.round.at[k - 1];
    x->later.round.at[i] = round;
}

/* The first one, which is known, and others, of so many. */
static void choose_rounds(struct explorer *x, uint32_t rounds, bool ends)
{
    vec_clear(&x->later.round);
    add_round(x, 0);
    for (uint32_t n = 1; n < rounds; n *= 2) {
        add_round(x, n);
        if (ends)
            add_round(x, rounds - n);
    }
    add_round(x, rounds - 1);
}

static void fill_with_round(struct explorer *x, const struct state *state, rank_t r, uint32_t round)
{
    uint32_t period = x->game.tree.node.at[state->player[r].node].period;

    menu_fill_with_yeses(&x->later.menu, &x->game, state, r, x->later.chain.at[(size_t)round * period], period);
}

/* What the rank does if it is told yes, as far as what comes next shows it; takes the state. -1: the runner failed. */
static int follow_yes(struct explorer *x, struct state *state, const struct option *yes)
{
    struct option option = *yes;
    int status = menu_take(&x->game, state, &option);

    for (int i = 0; i < WINDOW && status == 0 && !x->game.learned; i++) {
        menu_fill(&x->later.beside, &x->game, state);
        if (!x->later.beside.planned)
            break;
        option = x->later.beside.option.at[0];
        status = menu_take(&x->game, state, &option);
    }
    state_free(&x->game, state);
    return status;
}

/* The same for all that can be said yes to in a round. */
static int find_footprint(struct explorer *x, const struct state *state, rank_t r, uint32_t round, struct map_key *sum)
{
    struct footprint footprint = {.rank = r, .sum = HASH_START};
    int status = 0;

    fill_with_round(x, state, r, round);
    x->game.footprint = &footprint;
    for (size_t i = 0; i < x->later.menu.option.n && status == 0; i++)
        status = follow_yes(x, state_clone(&x->game, state), &x->later.menu.option.at[i]);
    x->game.footprint = NULL;
    *sum = footprint.sum;
    return status;
}

/* Between two rounds after which the rank does not do the same, up to two that lie side by side. */
static int halve(struct explorer *x, const struct state *state, rank_t r, uint32_t low, uint32_t high, struct map_key below)
{
    while (high - low > 1 && !must_stop(x)) {
        uint32_t middle = low + (high - low) / 2;
        struct map_key sum;

        if (find_footprint(x, state, r, middle, &sum) < 0)
            return -1;
        if (map_key_is_same(sum, below))
            low = middle;
        else
            high = middle;
    }
    if (low)
        add_round(x, low);
    add_round(x, high);
    return 0;
}

static int look_for_changes(struct explorer *x, const struct state *state, rank_t r)
{
    VEC(uint32_t) round = {0};
    struct map_key before = {0}, sum;
    int changes = 0, status = 0;

    vec_copy(&round, &x->later.round);
    for (size_t i = 0; i < round.n && changes < MOST_CHANGES && status == 0 && !must_stop(x); i++) {
        status = find_footprint(x, state, r, round.at[i], &sum);
        if (status == 0 && i > 0 && !map_key_is_same(sum, before) && !must_stop(x)) {
            status = halve(x, state, r, round.at[i - 1], round.at[i], before);
            changes++;
        }
        before = sum;
    }
    vec_release(&round);
    return status;
}

/* ---- trying ---- */

static void leave_for_later(struct explorer *x)
{
    while (x->frame.n) {
        const struct frame *frame = &vec_last(&x->frame);

        for (size_t i = frame->until; i-- > frame->first;)
            vec_push(&x->later.rest, (struct loose_end){frame->step, option_pick(&x->pending.at[i])});
        search_pop(x);
    }
    vec_clear(&x->pending);
}

/* Takes the state, which was reached by a step. */
static int try_beside(struct explorer *x, struct state *state, uint32_t from, struct option option)
{
    struct step step = {from, option_pick(&option)};

    search_announce(x, state, from, &option);
    x->in_hand = step;
    x->result.steps++;
    if (search_take(x, state, &option) < 0)
        return -1;
    if (search_has_learned(x)) {
        state_free_with_tight(&x->game, state);
        return 0;
    }
    x->later.ended = x->ended.n;
    x->later.detours = x->detour.n;
    search_visit(x, state, step, 0, 0);
    return search_to_end(x);
}

static int try_round(struct explorer *x, const struct state *state, uint32_t step, rank_t r, uint32_t round)
{
    size_t n;

    fill_with_round(x, state, r, round);
    n = x->later.menu.option.n;
    for (size_t i = 0; i < n && !must_stop(x); i++) {
        struct option option = x->later.menu.option.at[i];

        spin_add_later(&x->game.tree, state->player[r].node, x->game.tree.op.at[option.op].node);
        if (try_beside(x, state_clone_with_tight(&x->game, state), step, option) < 0)
            return -1;
        leave_for_later(x);
    }
    return 0;
}

static int try_rounds(struct explorer *x, const struct state *state, struct later_state at)
{
    struct polls_ahead *ahead = polls_ahead_of(x, state, at.rank);
    uint32_t rounds = ahead ? find_chain(x, state, at.rank) : 0;

    if (rounds > 1) {
        choose_rounds(x, rounds, spin_exit(&x->game.tree, state->player[at.rank].node));
        if (look_for_changes(x, state, at.rank) < 0)
            return -1;
        LOG(explore, "state %u: rank %d is told yes in %zu later rounds of %u", at.step, at.rank, x->later.round.n - 1, rounds);
        for (size_t i = 1; i < x->later.round.n && !must_stop(x); i++)
            if (try_round(x, state, at.step, at.rank, x->later.round.at[i]) < 0)
                return -1;
    }
    ahead = polls_ahead_of(x, state, at.rank);
    if (ahead && !must_stop(x))
        ahead->tried++;
    return 0;
}

static int try_in_each_state(struct explorer *x)
{
    x->later.one_run = true;
    for (size_t i = 0; i < x->later.state.n && !must_stop(x); i++) {
        struct state *state = search_reach(x, x->later.state.at[i].step);
        int status = state ? try_rounds(x, state, x->later.state.at[i]) : -1;

        if (state)
            state_free_with_tight(&x->game, state);
        if (status < 0)
            return -1;
    }
    x->later.one_run = false;
    return 0;
}

static int tie_up_loose_ends(struct explorer *x)
{
    while (x->later.rest.n && !must_stop(x)) {
        struct loose_end end = vec_pop(&x->later.rest);
        struct state *state = search_reach(x, end.step);

        if (!state)
            return -1;
        menu_fill(&x->menu, &x->game, state);
        if (try_beside(x, state, end.step, *search_find_option(&x->menu, end.pick)) < 0)
            return -1;
    }
    return 0;
}

static int repair_all(struct explorer *x)
{
    bool any = true;

    while (any && !must_stop(x))
        if (search_repair(x, &any) < 0)
            return -1;
    return 0;
}

static int try_all(struct explorer *x)
{
    uint32_t ahead = x->game.spin.ahead;
    bool failed;

    if (ahead > AHEAD)
        x->game.spin.ahead = AHEAD;
    failed = try_in_each_state(x) < 0 || tie_up_loose_ends(x) < 0 || repair_all(x) < 0;
    x->game.spin.ahead = ahead;
    if (failed)
        return -1;
    x->later.whole = !must_stop(x);
    while (x->frame.n)
        search_pop(x);
    vec_clear(&x->pending);
    return 0;
}

/* The costs that it went by mean nothing any more: all is done. */
static void stop_deepening(struct explorer *x)
{
    x->deepens = false;
    agenda_release(&x->agenda, &x->game);
    edges_ahead_release(&x->ahead);
}

/* That there is no time for more, or that there are to be no more runs, leaves nothing of the search itself undone. */
static int end_in_time(struct explorer *x, uint32_t left, int status)
{
    uint32_t cut = x->result.left & ~left & (LEFT_TIME | LEFT_RUNS);

    x->result.left &= ~cut;
    if (status == 0 || !deadline_is_over() || deadline_was_shortened())
        return status;
    x->game.tree.failed = false;
    while (x->frame.n)
        search_pop(x);
    return 0;
}

int search_try_later_rounds(struct explorer *x)
{
    uint64_t work = counted_work(x), most = work / SHARE;
    uint32_t left = x->result.left;

    if (!x->later.state.n || left & LEFT_STOPS || x->game.learned || search_has_bound(x) || x->options.stepwise ||
        x->game.tree.runner.announce)
        return 0;
    if (x->deepens)
        stop_deepening(x);
    x->later.on = true;
    x->later.first_step = (uint32_t)x->step.n;
    x->later.until = work + (most > LEAST_WORK ? most : LEAST_WORK);
    LOG(explore, "after %llu decisions and %llu segments polls are told yes in later rounds, in %zu states",
        (unsigned long long)x->result.steps, (unsigned long long)x->game.tree.segments, x->later.state.n);
    return end_in_time(x, left, try_all(x));
}
