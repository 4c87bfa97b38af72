/*
 * search -- depth first over the states at rest, each once; one that does not end is gone on with by costs (deepening.c).
 *
 * A state is kept while some of its options are still to be taken; the last one
 * takes the state itself, so a run without alternatives is never copied.  The
 * trail remembers of each visited state how it was reached: enough to tell the
 * decisions of a run, and to come back to a state whose reduction has turned out
 * to rest on a false assumption.
 */
#include "explore/search.h"

#include "base/deadline.h"
#include "base/die.h"
#include "base/hash.h"
#include "base/log.h"
#include "explore/invariants.h"

void search_pop(struct explorer *x)
{
    struct frame frame = vec_pop(&x->frame);

    if (frame.state)
        state_free_with_tight(&x->game, frame.state);
}

void search_find_path(struct explorer *x, uint32_t step)
{
    size_t n = 0;

    for (uint32_t at = step; x->step.at[at].from; at = x->step.at[at].from)
        n++;
    vec_clear(&x->path);
    vec_reserve(&x->path, n);
    x->path.n = n;
    for (; n > 0; step = x->step.at[step].from)
        x->path.at[--n] = x->step.at[step].pick;
}

/*
 * What tells states apart: what can follow.  With less slack that is also where
 * the tight state stands, which the state does not tell: not if histories were
 * merged, nor if a probe saw one of two equal messages, and that was withdrawn.
 */
struct map_key search_key_with_tight(const struct state *state)
{
    struct map_key key = state->key;

    if (state->tight)
        hash_stir_key(&key, tight_key(state->tight));
    return key;
}

/* Under two bounds, to cost less by one is not to cost less: then how much of the other is left tells states apart, too. */
struct map_key search_key(const struct explorer *x, const struct state *state, cost_t cost)
{
    struct map_key key = search_key_with_tight(state);

    if (x->options.mixing && x->options.lateness)
        hash_stir(&key, cost_other(cost));
    return key;
}

/* What can be tried now of what was planned: it is pending, the first on top. */
static void add_pending(struct explorer *x, struct frame *frame, struct stretch plan)
{
    frame->first = x->pending.n = x->frame.n ? vec_last(&x->frame).until : 0;
    while (plan.until-- > plan.first)
        if (!search_is_for_later(x, frame->step, option_pick(&x->menu.option.at[plan.until])))
            vec_push(&x->pending, x->menu.option.at[plan.until]);
    frame->until = x->pending.n;
}

/* In a state that is expanded again, what the search decides first was decided before: whatever else is tried departs from that. */
static void mark_all_departing(struct menu *menu, struct stretch plan)
{
    for (uint32_t i = plan.first; i < plan.until; i++)
        menu->option.at[i].departs = true;
}

void search_expand(struct explorer *x, struct state *state, uint32_t step, double share, enum expansion how)
{
    struct stretch plan = how == EXPAND_WHOLE ? search_plan_everything(x, state) : search_plan(x, state, step);
    struct frame frame = {.state = state, .step = step, .share = share};

    if (plan.first == plan.until) {
        x->covered += share;
        search_tell(x, state, step);
        state_free_with_tight(&x->game, state);
        return;
    }
    if (how != EXPAND_FIRST)
        mark_all_departing(&x->menu, plan);
    frame.share /= plan.until - plan.first;
    search_defer(x, &frame, &x->menu.option.at[plan.first], plan.until - plan.first, false);
    add_pending(x, &frame, plan);
    if (frame.first == frame.until)
        state_free_with_tight(&x->game, state);
    else
        vec_push(&x->frame, frame);
}

/* The step by which a state with this key was first reached: this one, if it is new. */
static uint32_t note_state(struct explorer *x, const struct state *state, struct map_key key, struct step step)
{
    uint32_t known = known_states_find(&x->known, key);

    bulk_pass();
    if (x->step.n + x->detour.n >= UINT32_MAX)
        die("more than 2^32 ways from state to state");
    if (known) {
        bulk_push(&x->detour, (struct detour){step.from, known, step.pick});
        search_look_for_circle(x, step.from, known);
        LOG(explore, "state %u leads to state %u, which is known", step.from, known);
        return known;
    }
    x->result.states++;
    known_states_add(&x->known, key, (uint32_t)x->step.n);
    search_note_unowing(x, state, (uint32_t)x->step.n);
    bulk_push(&x->step, step);
    return (uint32_t)x->step.n - 1;
}

uint32_t search_note(struct explorer *x, const struct state *state, struct step step)
{
    return note_state(x, state, search_key(x, state, 0), step);
}

void search_visit(struct explorer *x, struct state *state, struct step step, cost_t cost, double share)
{
    size_t steps = x->step.n;
    uint32_t at;

    if (search_goes_round_again(x, state, step, cost)) {
        x->covered += share;
        state_free_with_tight(&x->game, state);
        return;
    }
    search_look_for_safety(x, state, cost);
    at = note_state(x, state, search_key(x, state, cost), step);
    search_note_cost(x, at, cost);
    if (x->step.n > steps) {
        search_note_without_debts(x, state, at);
        search_note_met(x, at);
        search_expand(x, state, at, share, EXPAND_FIRST);
        return;
    }
    x->covered += share;
    state_free_with_tight(&x->game, state);
}

struct state *search_begin(struct explorer *x)
{
    struct state *state = state_begin(&x->game, x->game.loosens ? SLACK_TIGHT : x->options.slack);

    if (!state || !x->options.any_slack || x->game.stepwise)
        return state;
    state->tight = tight_begin(&x->game, SLACK_TIGHT);
    if (state->tight)
        return state;
    state_free_with_tight(&x->game, state);
    return NULL;
}

int search_take(struct explorer *x, struct state *state, const struct option *option)
{
    struct pick pick = option_pick(option); /* the menu is used again */

    if (menu_take(&x->game, state, option) == 0 &&
        (!state->tight || tight_follow(&x->game, &x->menu, state->tight, pick) == 0))
        return 0;
    state_free_with_tight(&x->game, state);
    return -1;
}

const struct option *search_find_option(const struct menu *menu, struct pick pick)
{
    for (size_t i = 0; i < menu->option.n; i++)
        if (menu->option.at[i].op == pick.op && menu->option.at[i].choice == pick.choice)
            return &menu->option.at[i];
    BUG("a state that was visited cannot be reached again");
}

int search_take_pick(struct explorer *x, struct state *state, struct pick pick)
{
    struct option option;

    menu_fill(&x->menu, &x->game, state);
    option = *search_find_option(&x->menu, pick);
    option.leaps = pick.leaps;
    return search_take(x, state, &option);
}

static double seconds_since(const struct timespec *start)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) * 1e-9;
}

bool search_is_over(struct explorer *x)
{
    if (x->options.max_runs && x->result.runs >= x->options.max_runs)
        x->result.left |= LEFT_RUNS;
    if (x->options.seconds > 0 && seconds_since(&x->start) > x->options.seconds)
        x->result.left |= LEFT_TIME;
    else if (deadline_is_over())
        x->result.left |= search_left_at_deadline();
    return x->result.left & LEFT_STOPS;
}

/*
 * Whether an attached buffer that was used for more than it has room for was too full, whether the receive of a ready
 * send was posted, and whether two ranks have a window at a time, are questions of who knew what (check/buffer_room.h, ready_sends.h,
 * tenures.h).  That is no part of an image, so from now on there is one history for each past.
 */
static void heed_the_past(struct explorer *x)
{
    bool matters = x->options.heed_past &&
                   (x->game.tree.overfull || x->game.tree.ready || explore_has_tenures(x));
    if (!matters || !x->game.tree.merges)
        return;
    tree_unmerge(&x->game.tree);
    x->game.learned = true;
}

/* What was reached through a node that is not what it was taken for may lack a run. */
static void heed_withdrawals(struct explorer *x)
{
    const struct runner *runner = &x->game.tree.runner;
    node_id node;

    while (runner->withdrawn && (node = runner->withdrawn(runner->data))) {
        LOG(explore, "node %u is not what it was taken for", node);
        tree_part(&x->game.tree, node);
        x->game.learned = true;
    }
}

bool search_has_learned(struct explorer *x)
{
    heed_the_past(x);
    heed_withdrawals(x);
    return x->game.learned;
}

/* Takes the next option of a frame, which is not empty. */
static int take_next(struct explorer *x, struct frame *frame)
{
    struct frame from = *frame;
    struct option option = x->pending.at[--frame->until];
    struct step step = {from.step, option_pick(&option)};
    struct state *state = frame->state;

    if (frame->first == frame->until) {
        frame->state = NULL;
        search_pop(x);
    } else {
        state = state_clone_with_tight(&x->game, state);
    }
    if (x->options.jobs > 1 && x->game.tree.runner.pays && x->game.tree.runner.pays(x->game.tree.runner.data))
        search_begin_next_runs(x);
    x->game.disputes.step = from.step;
    search_announce(x, state, from.step, &option);
    x->in_hand = step;
    x->result.steps++;
    x->game.last = from.first + 1 == from.until && !agenda_left(&x->agenda, from.step);
    if (search_take(x, state, &option) < 0)
        return -1;
    x->game.last = false;
    if (search_has_learned(x))
        state_free_with_tight(&x->game, state); /* it was reached by rules that are no longer ours */
    else
        search_visit(x, state, step, search_cost(x, from.step) + search_price(x, step.pick), from.share);
    return 0;
}

int search_to_end(struct explorer *x)
{
    while (x->frame.n && !x->game.learned && !search_pauses_later_rounds(x) && !search_is_over(x)) {
        struct frame *frame = &vec_last(&x->frame);

        CHECKED(search_check_step(x));
        if (!x->later.on && search_should_scout(x))
            search_scout(x);
        else if (search_should_sidestep(x) && search_sidestep(x) < 0)
            return -1;
        else if (x->game.learned)
            break;
        else if (frame->first == frame->until)
            search_pop(x);
        else if (take_next(x, frame) < 0)
            return -1;
        if (!x->later.on && (x->deepens ? search_should_turn_aside(x) : search_should_deepen(x)))
            search_put_frames_aside(x);
    }
    CHECKED(search_check_step(x));
    return 0;
}

/* The steps to a state from that of the first one on, into `way`. */
static void find_way(struct explorer *x, uint32_t step, size_t n)
{
    vec_clear(&x->way);
    vec_reserve(&x->way, n);
    x->way.n = n;
    for (; n > 0; step = x->step.at[step].from)
        x->way.at[--n] = step;
}

/*
 * On the way to a state that was visited nobody asks which states they are, and to find out takes as long as there are messages under way; but
 * where there are keepers, and where some are known to be safe.
 */
static bool asks_on_the_way(const struct explorer *x)
{
    return game_has_machines(&x->game) || x->game.has_slow || x->slack_safety.safe.n;
}

static void find_keys(const struct explorer *x, struct state *state)
{
    state->key = state_key(&x->game, state);
    if (state->tight)
        state->tight->state->key = state_key(&x->game, state->tight->state);
}

void search_find_keys_anew(struct explorer *x)
{
    for (size_t f = 0; f < x->frame.n; f++)
        find_keys(x, x->frame.at[f].state);
    for (size_t i = 0; i < x->agenda.errand.n; i++)
        if (x->agenda.errand.at[i].state)
            find_keys(x, x->agenda.errand.at[i].state);
}

struct state *search_reach(struct explorer *x, uint32_t step)
{
    struct state *state;
    bool asks = asks_on_the_way(x);
    size_t depth;

    x->in_hand = (struct step){.from = step};
    search_find_path(x, step);
    find_way(x, step, x->path.n + 1);
    x->game.unkeyed = true; /* waypoints are */
    state = waypoints_begin(&x->waypoints, &x->game, x->way.at, x->way.n, &depth);
    x->game.unkeyed = !asks;
    if (!state)
        state = search_begin(x);
    else if (asks)
        find_keys(x, state);
    for (; state && depth < x->path.n; depth++) {
        search_let_go_if_safe(x, state);
        waypoints_pass(&x->waypoints, &x->game, state, depth);
        x->result.retraced++;
        if (search_take_pick(x, state, x->path.at[depth]) < 0)
            state = NULL;
    }
    x->game.unkeyed = false;
    if (!state)
        return NULL;
    if (!asks)
        find_keys(x, state);
    search_let_go_if_safe(x, state);
    return state;
}

/* Polls are not followed for long before a run was made ahead, or that was tried. */
static void let_scout_go_first(struct explorer *x)
{
    struct tree *tree = &x->game.tree;

    if (tree->scout_due)
        search_scout_first(x);
    else
        tree->scouts_first = x->options.scout && !x->scouted && !x->scouted_first && !tree->runner.announce;
}

static int search_once(struct explorer *x)
{
    struct state *state;
    bool any = true;

    let_scout_go_first(x);
    if (x->game.learned || search_is_over(x))
        return 0;
    state = search_begin(x);
    if (!state)
        return -1;
    if (x->game.learned) { /* there are windows already, and no keepers */
        state_free_with_tight(&x->game, state);
        return 0;
    }
    heed_the_past(x);
    search_visit(x, state, (struct step){0}, 0, 1);
    if (search_to_end(x) < 0)
        return -1;
    while (any && !x->deepens && !(x->result.left & LEFT_STOPS) && !x->game.learned)
        if (search_repair(x, &any) < 0)
            return -1;
    if (x->deepens && search_deepen(x) < 0)
        return -1;
    if (search_try_later_rounds(x) < 0)
        return -1;
    heed_withdrawals(x);
    if (!slack_safety_is_refuted(&x->slack_safety, &x->game.tree) || x->game.learned)
        return 0;
    if (x->result.left & LEFT_STOPS)
        x->result.left |= LEFT_SLACK;
    else if (!search_is_safe_all_the_same(x))
        x->game.learned = true;
    return 0;
}

int search_all(struct explorer *x)
{
    while (search_once(x) == 0) {
        if (x->game.learned ? search_is_over(x) : x->result.left & LEFT_STOPS)
            return 0;
        if (!x->game.learned)
            return x->result.left & (LEFT_MIXING | LEFT_LATE) ? 0 : search_tell_endless(x);
        search_begin_anew(x);
    }
    return -1;
}
