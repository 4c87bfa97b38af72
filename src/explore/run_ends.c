/*
 * run_ends -- a run is over: how it ended, who is told, and which deadlocks there are on the way with less slack.
 */
#include "explore/search.h"

#include "base/deadline.h"
#include "base/log.h"

enum {
    PATIENCE = 1 << 14,
    FIRST_LEAP = 1 << 8, /* noes of it; then twice as many each time, */
    FAR = 1 << 18,       /* up to so many that ranks say by themselves before they are called stuck, a quarter of a second of most; */
    NEAR = 1 << 16,      /* once that was in vain: */
    MOST_EFFORT = 1 << 17, /* beyond the usual, for those who do much between their polls */
};

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
    bool waits = false, polls = false, others_go = false;

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
        others_go = others_go || state_other_threads_go(&x->game, state, r);
        if (end != RUN_CLEAN && (run->rank == RANK_NONE || run->end == RUN_UNKNOWN)) {
            run->end = end;
            run->rank = r;
        }
    }
    if (run->rank == RANK_NONE && others_go)
        run->end = RUN_UNKNOWN;
    else if (run->rank == RANK_NONE)
        run->end = polls ? RUN_LIVELOCK : waits ? RUN_DEADLOCK : RUN_CLEAN;
}

bool search_is_clean_end(struct explorer *x, const struct state *state)
{
    struct run run = {0};

    judge_run(x, state, &run);
    for (rank_t r = 0; r < x->game.keepers && run.end == RUN_CLEAN; r++)
        if (x->game.tree.node.at[state->player[r].node].code)
            return false;
    return run.end == RUN_CLEAN;
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
 * Who polls on after many noes may give up after far more, and let all others go on.  So all are followed further by turns, in leaps (leaps.h), up to
 * FAR noes, less if many were in vain.  One that is found to give up too late to be followed no by no leaves it open how the run ends; then the
 * run that is made ahead, which leaps, may be the only one that comes to its end.
 */
static bool goes_on_in_leaps(struct explorer *x, const struct state *state)
{
    uint32_t far = x->leapt_in_vain ? NEAR : FAR;
    uint64_t effort = x->game.tree.effort;
    bool any = true;

    for (uint32_t noes = FIRST_LEAP; any && noes <= far && x->game.tree.effort - effort < MOST_EFFORT; noes *= 2) {
        any = false;
        for (rank_t r = 0; r < x->game.ranks; r++) {
            const struct player *p = &state->player[r];
            enum spin_way way;

            if (!p->spins || !spin_can_leap(&x->game.tree, p->node))
                continue;
            any = true;
            way = spin_leap(&x->game.tree, p->node, noes);
            if (x->game.tree.failed)
                x->result.left |= LEFT_RUNNER;
            if (way == SPIN_OUT || x->game.tree.failed)
                x->game.learned = true;
            if (way == SPIN_STRAYS)
                x->result.left |= LEFT_UNKNOWN;
            if (way != SPIN_ON || x->game.tree.failed)
                return false;
        }
    }
    x->leapt_in_vain |= any;
    return true;
}

/*
 * Whether those who poll will do so for ever, as far as one can tell.  If not, the state was
 * reached by rules that are no longer ours, or the runner failed.  Leaps come first, for they cost least; only images that are taken
 * on the way from no to no tell that nothing changes any more.
 */
static bool is_stuck(struct explorer *x, const struct state *state)
{
    uint32_t patience = x->options.patience ? x->options.patience : PATIENCE;

    if (!goes_on_in_leaps(x, state))
        return false;
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

/* Such a state is no end of a run, for there is one in which they get on. */
static bool is_stuck_by_withholding(struct explorer *x, const struct state *state)
{
    struct run run = {0};

    if (!state_withholds(&x->game, state))
        return false;
    judge_run(x, state, &run);
    return run.end == RUN_DEADLOCK || run.end == RUN_LIVELOCK;
}

void search_tell_slack_deadlock(void *data, const struct tight *tight)
{
    struct explorer *x = data;
    struct run run = {.number = x->result.runs, .step = x->telling, .less_slack = tight, .mixed = tight->mixed};

    if (state_withholds(&x->game, tight->state) || !is_stuck(x, tight->state))
        return;
    describe_run(x, tight->state, &run);
    menu_fill(&x->menu, &x->game, tight->state);
    if (x->menu.point.n) /* somebody spins on a window (way_out.h) */
        run.end = RUN_LIVELOCK;
    x->result.slack_deadlocks++;
    tell_visitor(x, &run);
}

/* Why it was left when the time is over. */
uint32_t search_left_at_deadline(void)
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
        x->result.left |= deadline_is_over() ? search_left_at_deadline() : LEFT_SLACK;
    if (search.strayed || x->game.unsure)
        x->result.left |= LEFT_WINDOWS;
}

/* An end that was told early was counted then. */
static enum visit tell_run_end(struct explorer *x, const struct state *state, uint32_t step, bool scouted)
{
    uint32_t early = 0;
    bool again = !scouted && map_get(&x->early_ends, state->key, &early);
    struct run run = {.number = again ? early : ++x->result.runs, .step = step, .scouted = scouted};

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
    map_put(&x->early_ends, state->key, (uint32_t)x->result.runs);
}

void search_tell_scouted(struct explorer *x, const struct state *state)
{
    tell_run_end(x, state, 0, true);
    note_early_end(x, state);
}

void search_find_scouted_key_anew(struct explorer *x, struct state *state)
{
    map_remove(&x->early_ends, state->key);
    state->key = state_key(&x->game, state);
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

    if (new && (explore_will_begin_anew(x) || is_stuck_by_withholding(x, state)))
        return;
    if (new && !is_stuck(x, state)) {
        if (step && !x->game.learned && search_should_scout(x))
            search_scout(x);
        return;
    }
    if (new)
        map_put(&x->ends, state->key, known = tell_new_end(x, state, step));
    if (state->tight && !(x->result.left & LEFT_STOPPED) && seen_add(&x->held_up, search_key_with_tight(state)))
        tell_slack_deadlocks(x, state, step);
    vec_push(&x->ended, (struct ended){step, known});
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
