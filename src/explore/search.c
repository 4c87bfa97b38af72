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

#include "base/bug_context.h"
#include "base/deadline.h"
#include "base/die.h"
#include "base/hash.h"
#include "base/log.h"
#include "explore/invariants.h"

enum { ROUNDS = 16, AHEAD = 1 << 12, PATIENCE = 1 << 14 };

/* For ranks, and for the keepers of windows that were met. */
static void make_room_for_players(struct explorer *x)
{
    size_t players;

    game_grow(&x->game);
    players = (size_t)x->game.ranks;
    free(x->nodes);
    free(x->calls);
    free(x->trail);
    trails_release(&x->trails);
    x->nodes = xcalloc(players, sizeof *x->nodes);
    x->calls = xcalloc(players, sizeof *x->calls);
    x->trail = xcalloc(players, sizeof *x->trail);
    x->trails = (struct trails){0};
    trails_init(&x->trails, x->game.ranks);
    reducer_release(&x->reducer);
    x->reducer = (struct reducer){0};
}

struct explorer *explore_new(const struct runner *runner, const struct explore_options *options)
{
    struct explorer *x = xcalloc(1, sizeof *x);

    x->options = *options;
    game_init(&x->game, runner, options->ranks, options->spawnable,
              (struct spin_limits){options->rounds ? options->rounds : ROUNDS, options->ahead ? options->ahead : AHEAD});
    x->game.windows.lessons = options->windows;
    make_room_for_players(x);
    for (size_t i = 0; i < options->places; i++)
        game_learn_cancel(&x->game, options->place[i]);
    x->game.learned = false;
    x->game.tree.merges = options->merge;
    x->game.tree.begins = options->scout;
    x->game.stepwise = options->stepwise;
    x->game.loosens = options->stepwise && options->any_slack;
    bulk_push(&x->step, (struct step){0});
    x->random = (options->seed * 2 + 1) * UINT64_C(0x9e3779b97f4a7c15); /* so that small seeds are no small numbers */
    x->deepens = options->mixing || options->lateness || options->departures;
    x->counts_departures = options->departures;
    x->counts_late = options->lateness || !options->mixing;
    x->counts_other = options->mixing || !options->lateness;
    return x;
}

static void pop(struct explorer *x)
{
    struct frame frame = vec_pop(&x->frame);

    if (frame.state)
        state_free_with_tight(&x->game, frame.state);
}

void explore_free(struct explorer *x)
{
    while (x->frame.n)
        pop(x);
    agenda_release(&x->agenda, &x->game);
    waypoints_release(&x->waypoints, &x->game);
    edges_ahead_release(&x->ahead);
    bulk_release(&x->step);
    vec_release(&x->way);
    vec_release(&x->picks);
    vec_release(&x->frame);
    vec_release(&x->pending);
    vec_release(&x->assumed);
    vec_release(&x->doubts);
    vec_release(&x->decisions);
    vec_release(&x->buffered);
    vec_release(&x->unbuffered);
    vec_release(&x->path);
    seen_release(&x->slack_deadlocks);
    seen_release(&x->harmless);
    seen_release(&x->held_up);
    slack_safety_release(&x->slack_safety);
    ways_out_release(&x->good);
    free(x->aim);
    vec_release(&x->ended);
    map_release(&x->circles);
    map_release(&x->times_without_debts);
    bulk_release(&x->without_debts);
    bulk_release(&x->detour);
    known_states_release(&x->known);
    map_release(&x->ends);
    reducer_release(&x->reducer);
    menu_release(&x->menu);
    game_release(&x->game);
    trails_release(&x->trails);
    naming_release(&x->naming);
    free(x->trail);
    free(x->calls);
    free(x->nodes);
    free(x);
}

/* ---- the end of a run ---- */

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

static enum run_end end_of_rank(enum segment_end end)
{
    switch (end) {
    case SEGMENT_ABORT:
        return RUN_ABORT;
    case SEGMENT_ERROR:
        return RUN_ERROR;
    case SEGMENT_REFUSED:
        return RUN_REFUSED;
    case SEGMENT_CRASH:
        return RUN_CRASH;
    case SEGMENT_HUNG:
        return RUN_HUNG;
    case SEGMENT_DIVERGED:
        return RUN_DIVERGED;
    case SEGMENT_UNKNOWN:
        return RUN_UNKNOWN;
    case SEGMENT_CALL:
    case SEGMENT_EXIT:
        break;
    }
    return RUN_CLEAN;
}

/* Who came to grief, came before those that are left waiting. */
static void judge_run(struct explorer *x, const struct state *state, struct run *run)
{
    bool waits = false, polls = false;

    run->rank = state->clash;
    run->other = state->other;
    if (state->clash != RANK_NONE) {
        run->end = RUN_MISMATCH;
        run->unlike = state->unlike;
        run->op = x->game.tree.op.at[state->clash_op].op;
        run->other_op = x->game.tree.op.at[state->other_op].op;
        return;
    }
    for (rank_t r = 0; r < x->game.keepers; r++) { /* keepers wait for ever */
        const struct player *p = &state->player[r];
        enum run_end end = p->mode == PLAYER_OVER ? end_of_rank(x->game.tree.node.at[p->node].end) : RUN_CLEAN;

        if (state_is_unborn(&x->game, state, r))
            continue;
        waits = waits || p->mode == PLAYER_WAITS || p->mode == PLAYER_PASSES;
        polls = polls || p->mode == PLAYER_POLLS;
        if (end != RUN_CLEAN && (run->rank == RANK_NONE || run->end == RUN_UNKNOWN)) {
            run->end = end;
            run->rank = r;
        }
    }
    if (run->rank == RANK_NONE)
        run->end = polls ? RUN_LIVELOCK : waits ? RUN_DEADLOCK : RUN_CLEAN;
}

/*
 * What tells states apart: what can follow.  With less slack that is also where
 * the tight state stands, which the state does not tell: not if histories were
 * merged, nor if a probe saw one of two equal messages, and that was withdrawn.
 */
static struct map_key key_with_tight(const struct state *state)
{
    struct map_key key = state->key;

    if (state->tight)
        hash_stir_key(&key, tight_key(state->tight));
    return key;
}

/* Under two bounds, to cost less by one is not to cost less: then how much of the other is left tells states apart, too. */
struct map_key search_key(const struct explorer *x, const struct state *state, cost_t cost)
{
    struct map_key key = key_with_tight(state);

    if (x->options.mixing && x->options.lateness)
        hash_stir(&key, cost_other(cost));
    return key;
}

static void describe_run(struct explorer *x, const struct state *state, struct run *run)
{
    run->sem = state->sem;
    run->node = x->nodes;
    run->call = x->calls;
    judge_run(x, state, run);
    for (rank_t r = 0; r < x->game.ranks; r++) {
        x->nodes[r] = state->player[r].node;
        x->calls[r] = state_is_unborn(&x->game, state, r) ? NULL : state_call(&x->game, state, r);
    }
}

static enum visit tell_visitor(struct explorer *x, const struct run *run)
{
    enum visit opinion = x->visit(x->visitor, run);

    if (opinion == VISIT_STOP)
        x->result.left |= LEFT_STOPPED;
    return opinion;
}

/*
 * Whether those who poll will do so for ever, as far as one can tell.  If not, the state was
 * reached by rules that are no longer ours, or the runner failed.
 */
static bool is_stuck(struct explorer *x, const struct state *state)
{
    uint32_t patience = x->options.patience ? x->options.patience : PATIENCE;

    for (rank_t r = 0; r < x->game.ranks; r++) {
        const struct player *p = &state->player[r];

        if (p->spins && !spin_goes_on(&x->game.tree, p->node, patience)) {
            if (x->game.tree.failed)
                x->result.left |= LEFT_RUNNER;
            x->game.learned = true;
            return false;
        }
    }
    return true;
}

void search_tell_slack_deadlock(void *data, const struct tight *tight)
{
    struct explorer *x = data;
    struct run run = {.number = x->result.runs, .step = x->telling, .less_slack = tight, .mixed = tight->mixed};

    if (!is_stuck(x, tight->state))
        return;
    describe_run(x, tight->state, &run);
    menu_fill(&x->menu, &x->game, tight->state);
    if (x->menu.point.n) /* somebody spins on a window (way_out.h) */
        run.end = RUN_LIVELOCK;
    x->result.slack_deadlocks++;
    tell_visitor(x, &run);
}

/* Why it was left when the time is over. */
static uint32_t left_at_deadline(void)
{
    return deadline_was_shortened() ? LEFT_RUNNER : LEFT_TIME;
}

static void tell_slack_deadlocks(struct explorer *x, const struct state *state, uint32_t step)
{
    struct run end = {0};
    struct slack_deadlock_search search = {.end = state,
                                           .every = x->options.every_slack_deadlock,
                                           .told = &x->slack_deadlocks,
                                           .harmless = &x->harmless,
                                           .most = 1000,
                                           .tell = search_tell_slack_deadlock,
                                           .data = x};

    judge_run(x, state, &end);
    search.end_is_clean = end.end == RUN_CLEAN;
    search.end_is_deadlock = end.end == RUN_DEADLOCK || end.end == RUN_LIVELOCK;
    x->telling = step;
    if (slack_deadlock_search(&x->game, &x->menu, &search) < 0)
        x->result.left |= LEFT_RUNNER;
    if (search.incomplete)
        x->result.left |= deadline_is_over() ? left_at_deadline() : LEFT_SLACK;
    if (search.strayed || x->game.unsure)
        x->result.left |= LEFT_WINDOWS;
}

/* An end that was told early was counted then. */
static enum visit tell_run_end(struct explorer *x, const struct state *state, uint32_t step, bool scouted)
{
    bool again = !scouted && x->early_run && map_key_is_same(x->early_end, state->key);
    struct run run = {.number = again ? x->early_run : ++x->result.runs, .step = step, .scouted = scouted};

    x->game.tree.begins = false;
    describe_run(x, state, &run);
    x->result.by_end[run.end] += !again;
    LOG(explore, "state %u: run %llu ends: %s", step, (unsigned long long)run.number, run_end_name(run.end));
    if (run.end == RUN_UNKNOWN)
        x->result.left |= LEFT_UNKNOWN;
    return tell_visitor(x, &run);
}

/* It was told just now, and will be once more. */
static void note_early_end(struct explorer *x, const struct state *state)
{
    x->early_end = state->key;
    x->early_run = x->result.runs;
}

void search_tell_scouted(struct explorer *x, const struct state *state)
{
    tell_run_end(x, state, 0, true);
    note_early_end(x, state);
}

void search_tell_tried(struct explorer *x, const struct state *state)
{
    struct run run = {.number = x->result.runs};

    if (!is_stuck(x, state))
        return;
    describe_run(x, state, &run);
    tell_visitor(x, &run);
}

/* A long first run is told before it is proved, and once more if it does not come out the same. */
static enum visit tell_new_end(struct explorer *x, const struct state *state, uint32_t step)
{
    bool unproved = tree_is_long(&x->game.tree);
    enum visit opinion = tell_run_end(x, state, step, false);

    if (!unproved || search_prove_ends(x, state))
        return opinion;
    note_early_end(x, state);
    return tell_run_end(x, state, step, false);
}

void search_tell(struct explorer *x, const struct state *state, uint32_t step)
{
    uint32_t known;
    bool new = !map_get(&x->ends, state->key, &known);

    if (new && !is_stuck(x, state))
        return;
    if (new)
        map_put(&x->ends, state->key, known = tell_new_end(x, state, step));
    if (state->tight && !(x->result.left & LEFT_STOPPED) && seen_add(&x->held_up, key_with_tight(state)))
        tell_slack_deadlocks(x, state, step);
    vec_push(&x->ended, (struct ended){step, known});
}

/* ---- the search ---- */

static void assume(struct explorer *x, uint32_t step)
{
    const struct reducer *reducer = &x->reducer;

    if (!reducer->doubt.n)
        return;
    vec_push(&x->assumed, (struct assumption){step, false, (uint32_t)reducer->doubt.n, x->doubts.n});
    for (size_t i = 0; i < reducer->doubt.n; i++)
        vec_push(&x->doubts, reducer->doubt.at[i]);
}

const struct reduction *search_reduction(const struct explorer *x)
{
    if (x->options.stepwise)
        return &reduction_none;
    return x->options.reduction ? x->options.reduction : &reduction_one_point;
}

/* The point to decide alone, of those that the menu has; -1: all, or there is none. */
static int choose_point(struct explorer *x, const struct state *state, uint32_t step)
{
    struct menu *menu = &x->menu;

    x->in_hand = (struct step){.from = step};
    x->game.disputes.step = step;
    x->game.disputes.planning = true;
    menu_fill(menu, &x->game, state);
    x->game.disputes.planning = false;
    return menu->point.n ? search_reduction(x)->choose(&x->reducer, &x->game, state, menu) : -1;
}

static struct stretch stretch_of(const struct menu *menu, int point)
{
    const struct point *chosen = point < 0 ? NULL : &menu->point.at[point];

    return chosen ? (struct stretch){chosen->first, chosen->first + chosen->n}
                  : (struct stretch){0, (uint32_t)menu->option.n};
}

/* What is tried, with what departs from the first of it marked. */
static struct stretch plan_of(struct menu *menu, int point)
{
    struct stretch plan = stretch_of(menu, point);

    for (uint32_t i = plan.first; i < plan.until; i++)
        menu->option.at[i].departs = i > plan.first;
    return plan;
}

struct stretch search_plan_again(struct explorer *x, const struct state *state, uint32_t step)
{
    return plan_of(&x->menu, choose_point(x, state, step));
}

struct stretch search_plan(struct explorer *x, const struct state *state, uint32_t step)
{
    int point = choose_point(x, state, step);
    struct menu *menu = &x->menu;

    if (point >= 0) {
        assume(x, step);
        LOG(explore, "state %u: the %u options of rank %d's point, of %zu points, resting on %zu assumptions", step,
            menu->point.at[point].n, menu->point.at[point].rank, menu->point.n, x->reducer.doubt.n);
    } else if (menu->point.n) {
        x->result.whole++;
        LOG(explore, "state %u: all %zu options of %zu points", step, menu->option.n, menu->point.n);
    }
    return plan_of(menu, point);
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

static struct stretch plan_everything(struct explorer *x, const struct state *state)
{
    menu_fill(&x->menu, &x->game, state);
    x->result.whole++;
    return plan_of(&x->menu, -1);
}

/* Takes the state, and plans what is to be tried in it: what has to be, or everything. */
static void expand_state(struct explorer *x, struct state *state, uint32_t step, double share, bool whole)
{
    struct stretch plan = whole ? plan_everything(x, state) : search_plan(x, state, step);
    struct frame frame = {.state = state, .step = step, .share = share};

    if (plan.first == plan.until) {
        x->covered += share;
        search_tell(x, state, step);
        state_free_with_tight(&x->game, state);
        return;
    }
    frame.share /= plan.until - plan.first;
    search_defer(x, &frame, &x->menu.option.at[plan.first], plan.until - plan.first, false);
    add_pending(x, &frame, plan);
    if (frame.first == frame.until)
        state_free_with_tight(&x->game, state);
    else
        vec_push(&x->frame, frame);
}

/*
 * Who spins on a window comes back to the same state.  If that is by the only point that is decided there, the others would never be:
 * so of every circle one state, the one that closes it, is expanded as a whole (what others call the cycle proviso).
 */
static void look_for_circle(struct explorer *x, uint32_t from, uint32_t to)
{
    uint32_t known, step = from;

    if (!game_has_machines(&x->game) || map_get(&x->circles, map_key(from), &known))
        return;
    while (step > to) /* who leads to a step has a smaller number */
        step = x->step.at[step].from;
    if (step != to)
        return;
    map_put(&x->circles, map_key(from), 1);
    vec_push(&x->assumed, (struct assumption){.step = from, .circle = true});
}

/* The step by which a state with this key was first reached: this one, if it is new. */
static uint32_t note_state(struct explorer *x, struct map_key key, struct step step)
{
    uint32_t known = known_states_find(&x->known, key);

    bulk_pass();
    if (x->step.n + x->detour.n >= UINT32_MAX)
        die("more than 2^32 ways from state to state");
    if (known) {
        bulk_push(&x->detour, (struct detour){step.from, known, step.pick});
        look_for_circle(x, step.from, known);
        LOG(explore, "state %u leads to state %u, which is known", step.from, known);
        return known;
    }
    x->result.states++;
    known_states_add(&x->known, key, (uint32_t)x->step.n);
    bulk_push(&x->step, step);
    return (uint32_t)x->step.n - 1;
}

uint32_t search_note(struct explorer *x, const struct state *state, struct step step)
{
    return note_state(x, search_key(x, state, 0), step);
}

/*
 * Who spins on a window while it is held up in the tight state owes one decision more there each time round, so the two together never come
 * back to where they were.  It is the same circle all the same: what a run that goes round twice can be held up by, it can be held up by in the
 * second round as in the first.  So a state that differs in debts alone from two others on the way to it is the last of these.
 */
static struct map_key key_without_debts(const struct state *state)
{
    struct map_key key = state->key;

    hash_stir_key(&key, state->tight->state->key);
    return key;
}

static uint32_t find_third_time_round(const struct explorer *x, const struct state *state, uint32_t from)
{
    struct map_key key;
    uint32_t last = 0;

    if (!game_has_keepers(&x->game) || !state->tight || !state->tight->owed)
        return 0;
    key = key_without_debts(state);
    if (map_find(&x->times_without_debts, key, 0) < 2)
        return 0;
    for (uint32_t at = from; at; at = x->step.at[at].from) {
        if (at >= x->without_debts.n || !map_key_is_same(x->without_debts.at[at], key))
            continue;
        if (last)
            return last;
        last = at;
    }
    return 0;
}

static void note_without_debts(struct explorer *x, const struct state *state, uint32_t at)
{
    struct map_key key;

    if (!game_has_keepers(&x->game) || !state->tight)
        return;
    key = key_without_debts(state);
    while (x->without_debts.n <= at)
        bulk_push(&x->without_debts, (struct map_key){0});
    x->without_debts.at[at] = key;
    map_put(&x->times_without_debts, key, map_find(&x->times_without_debts, key, 0) + 1);
}

static bool goes_round_again(struct explorer *x, const struct state *state, struct step step, cost_t cost)
{
    uint32_t known = find_third_time_round(x, state, step.from);

    if (!known)
        return false;
    bulk_push(&x->detour, (struct detour){step.from, known, step.pick});
    search_note_cost(x, known, cost);
    look_for_circle(x, step.from, known);
    LOG(explore, "state %u leads round to state %u, but for what is owed", step.from, known);
    return true;
}

void search_visit(struct explorer *x, struct state *state, struct step step, cost_t cost, double share)
{
    size_t steps = x->step.n;
    uint32_t at;

    if (goes_round_again(x, state, step, cost)) {
        x->covered += share;
        state_free_with_tight(&x->game, state);
        return;
    }
    search_look_for_safety(x, state, cost);
    at = note_state(x, search_key(x, state, cost), step);
    search_note_cost(x, at, cost);
    if (x->step.n > steps) {
        note_without_debts(x, state, at);
        expand_state(x, state, at, share, false);
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
    menu_fill(&x->menu, &x->game, state);
    return search_take(x, state, search_find_option(&x->menu, pick));
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
        x->result.left |= left_at_deadline();
    return x->result.left & LEFT_STOPS;
}

/* Takes an option in a copy of the state; false: something had to be asked for, and was not. */
static bool try_option(struct explorer *x, const struct state *from, const struct option *option)
{
    struct state *state = state_clone(&x->game, from);
    bool known = menu_take(&x->game, state, option) == 0;

    x->game.tree.failed = false;
    state_free(&x->game, state);
    return known;
}

/* Whether an option leads to nothing new.  A cancel may teach us something, and is not tried. */
static bool leads_to_known(struct explorer *x, const struct state *from, const struct option *option)
{
    bool known;

    if (x->game.tree.op.at[option->op].op->kind == OP_CANCEL)
        return false;
    x->game.tree.trying = true;
    known = try_option(x, from, option);
    x->game.tree.trying = false;
    return known;
}

void search_announce(struct explorer *x, const struct state *from, uint32_t step, const struct option *option)
{
    const struct runner *runner = &x->game.tree.runner;

    if (!runner->announce || leads_to_known(x, from, option))
        return;
    search_find_path(x, step);
    account_for_path(x);
    vec_push(&x->decisions, account_decision(x, option->op, option->choice));
    x->account.decisions = x->decisions.n;
    x->account.decision = x->decisions.at;
    runner->announce(runner->data, &x->account);
}

/* What an option leads to is begun; true also if there is nothing to run. */
static bool begin_option(struct explorer *x, const struct frame *frame, const struct option *option)
{
    struct tree *tree = &x->game.tree;

    if (tree->op.at[option->op].op->kind == OP_CANCEL)
        return true;
    search_announce(x, frame->state, frame->step, option);
    tree->ahead = true;
    if (try_option(x, frame->state, option))
        tree->begun = true;
    tree->ahead = false;
    return tree->begun;
}

/* Begins what an errand leads to; how much that is. */
static uint32_t begin_errand(struct explorer *x, struct errand *errand)
{
    struct frame frame = {.state = errand->state, .step = errand->step};

    errand->begun = true;
    for (uint32_t i = 0; i < errand->n; i++) {
        struct option option;

        menu_fill(&x->menu, &x->game, errand->state);
        option = *search_find_option(&x->menu, x->agenda.pick.at[errand->first + i]);
        begin_option(x, &frame, &option);
    }
    return errand->n;
}

/* The same for errands that are about to be taken and know their state; they lie near the top, in whichever order. */
static void begin_errands(struct explorer *x, uint32_t begun)
{
    size_t turns = x->agenda.turns.n;

    for (size_t i = 0; i < turns && i < 2 * (size_t)x->options.jobs && begun < x->options.jobs; i++) {
        struct errand *errand = agenda_coming(&x->agenda, i, x->level);

        if (errand && errand->state && !errand->begun)
            begun += begin_errand(x, errand);
    }
}

/* Begins what comes next, as much as may run beside. */
static void begin_next_runs(struct explorer *x)
{
    uint32_t begun = 1;

    for (size_t f = x->frame.n; f-- > 0 && begun < x->options.jobs;) {
        struct frame *frame = &x->frame.at[f];

        for (size_t i = frame->until; i-- > frame->first && begun < x->options.jobs; begun++)
            if (!x->pending.at[i].begun)
                x->pending.at[i].begun = begin_option(x, frame, &x->pending.at[i]);
    }
    begin_errands(x, begun);
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
        pop(x);
    } else {
        state = state_clone_with_tight(&x->game, state);
    }
    if (x->options.jobs > 1 && x->game.tree.runner.pays && x->game.tree.runner.pays(x->game.tree.runner.data))
        begin_next_runs(x);
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
    while (x->frame.n && !x->game.learned && !search_is_over(x)) {
        struct frame *frame = &vec_last(&x->frame);

        CHECKED(search_check_step(x));
        if (search_should_scout(x))
            search_scout(x);
        else if (frame->first == frame->until)
            pop(x);
        else if (take_next(x, frame) < 0)
            return -1;
        if (x->deepens ? search_should_turn_aside(x) : search_should_deepen(x))
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

struct state *search_reach(struct explorer *x, uint32_t step)
{
    struct state *state;
    size_t depth;

    x->in_hand = (struct step){.from = step};
    search_find_path(x, step);
    find_way(x, step, x->path.n + 1);
    state = waypoints_begin(&x->waypoints, &x->game, x->way.at, x->way.n, &depth);
    if (!state)
        state = search_begin(x);
    for (; state && depth < x->path.n; depth++) {
        search_let_go_if_safe(x, state);
        waypoints_pass(&x->waypoints, &x->game, state, depth);
        x->result.retraced++;
        if (search_take_pick(x, state, x->path.at[depth]) < 0)
            return NULL;
    }
    if (state)
        search_let_go_if_safe(x, state);
    return state;
}

static bool is_refuted(const struct explorer *x, const struct assumption *assumption)
{
    if (assumption->circle)
        return true;
    for (uint32_t i = 0; i < assumption->doubts; i++)
        if (doubt_is_refuted(&x->game.tree, &x->doubts.at[assumption->first + i]))
            return true;
    return false;
}

int search_repair(struct explorer *x, bool *any)
{
    *any = false;
    for (size_t i = 0; i < x->assumed.n;) {
        struct assumption assumption = x->assumed.at[i];
        struct state *state;

        if (!is_refuted(x, &assumption)) {
            i++;
            continue;
        }
        if (search_is_over(x))
            return 0;
        x->assumed.at[i] = vec_pop(&x->assumed);
        state = search_reach(x, assumption.step);
        if (!state)
            return -1;
        x->result.again++;
        *any = true;
        LOG(explore, "state %u is expanded again: %s", assumption.step,
            assumption.circle ? "it is on a circle" : "a message came up that was assumed not to");
        expand_state(x, state, assumption.step, 0, assumption.circle);
        if (search_to_end(x) < 0)
            return -1;
        if (x->game.learned)
            return 0;
    }
    return 0;
}

static int search_once(struct explorer *x)
{
    struct state *state = search_begin(x);
    bool any = true;

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
    heed_withdrawals(x);
    if (!slack_safety_is_refuted(&x->slack_safety, &x->game.tree) || x->game.learned)
        return 0;
    if (x->result.left & LEFT_STOPS)
        x->result.left |= LEFT_SLACK;
    else if (!search_is_safe_all_the_same(x))
        x->game.learned = true;
    return 0;
}

void search_begin_anew(struct explorer *x)
{
    while (x->frame.n)
        pop(x);
    agenda_release(&x->agenda, &x->game);
    waypoints_release(&x->waypoints, &x->game);
    edges_ahead_release(&x->ahead);
    x->level = x->other_level = 0;
    x->result.complete = (struct completeness){0};
    known_states_release(&x->known);
    seen_release(&x->held_up);
    seen_release(&x->harmless);
    slack_safety_release(&x->slack_safety);
    seen_release(&x->game.leads_out);
    vec_clear(&x->assumed);
    map_release(&x->circles);
    map_release(&x->times_without_debts);
    x->without_debts.n = 0;
    vec_clear(&x->doubts);
    vec_clear(&x->detour);
    vec_clear(&x->ended);
    disputes_release(&x->game.disputes); /* their steps mean nothing any more; they will be met again */
    x->step.n = 1;
    x->covered = 0;
    x->result.states = 0;
    x->game.learned = false;
    tree_forget_unknown(&x->game.tree); /* other decisions lead there now */
    if (search_lacks_keepers(x)) {
        make_room_for_players(x);
        x->scouted = false;
    }
    x->result.anew++;
    x->begun_at = search_work(x);
    LOG(explore, "the search begins anew, since something is not as it was taken for");
}

/* Ranks that spin on windows: to the rest they are ranks that poll for ever. */
void search_tell_spinning(struct explorer *x, const struct state *state, uint32_t step)
{
    struct run run = {.number = ++x->result.runs, .step = step};

    describe_run(x, state, &run);
    run.end = RUN_LIVELOCK;
    x->result.by_end[run.end]++;
    vec_push(&x->ended, (struct ended){step, tell_visitor(x, &run)});
}

static int search_all(struct explorer *x)
{
    while (search_once(x) == 0) {
        if (x->result.left & LEFT_STOPS)
            return 0;
        if (!x->game.learned)
            return x->result.left & (LEFT_MIXING | LEFT_LATE) ? 0 : search_tell_endless(x);
        search_begin_anew(x);
    }
    return -1;
}

struct window_lessons explore_windows(const struct explorer *x)
{
    return x->game.windows.lessons;
}

uint32_t explore_times_anew(const struct explorer *x)
{
    return x->result.anew;
}

bool explore_has_late_polls(const struct explorer *x)
{
    return x->menu.late;
}

struct completeness explore_complete_so_far(const struct explorer *x)
{
    const uint32_t narrower = LEFT_SETS | LEFT_REGIONS | LEFT_UNKNOWN;
    bool narrows = x->result.left & narrower || x->menu.left_out || x->menu.marked;
    struct completeness complete = narrows ? (struct completeness){0} : x->result.complete;

    complete.buffered = x->result.left & LEFT_SLACK;
    return complete;
}

double explore_progress(const struct explorer *x)
{
    return x->options.samples ? (double)x->result.runs / (double)x->options.samples : x->covered;
}

static uint32_t count_endless(const struct explorer *x)
{
    struct polled polled = {0};
    uint32_t n = 0;

    while (explore_next_polled(x, polled.head, &polled))
        n += !polled.gives_up;
    return n;
}

struct explore_result explore_run(struct explorer *x, visit_fn *visit, void *visitor)
{
    struct bug_context context = {.describe = search_describe_run, .data = x};

    bug_context_enter(&context);
    x->visit = visit;
    x->visitor = visitor;
    clock_gettime(CLOCK_MONOTONIC, &x->start);
    if ((x->options.samples ? search_sample(x) : search_all(x)) < 0)
        x->result.left |= LEFT_RUNNER;
    if (x->menu.left_out)
        x->result.left |= LEFT_SETS;
    if (x->menu.marked)
        x->result.left |= LEFT_REGIONS;
    CHECKED(search_check_invariants(x));
    search_count(x);
    if (x->result.left & (LEFT_TIME | LEFT_RUNS) && !x->options.samples && !search_has_bound(x))
        search_find_late_departures(x, &x->result.complete);
    x->result.complete = explore_complete_so_far(x);
    x->result.segments = x->game.tree.segments;
    x->result.merged = x->game.tree.merged;
    x->result.windows = x->game.windows.lessons;
    x->result.dynamic = x->game.tree.dynamic;
    x->result.spins = count_endless(x);
    bug_context_leave(&context);
    return x->result;
}
