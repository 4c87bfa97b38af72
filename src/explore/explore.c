/*
 * explore -- depth first over the states at rest, each once.
 *
 * A state is kept while some of its options are still to be taken; the last one
 * takes the state itself, so a run without alternatives is never copied.  The
 * trail remembers of each visited state how it was reached: enough to tell the
 * decisions of a run, and to come back to a state whose reduction has turned out
 * to rest on a false assumption.
 */
#include "explore/search.h"

#include "base/die.h"

enum { ROUNDS = 16 };

struct explorer *explore_new(const struct runner *runner, const struct explore_options *options)
{
    struct explorer *x = xcalloc(1, sizeof *x);

    x->options = *options;
    game_init(&x->game, runner, options->ranks, options->rounds ? options->rounds : ROUNDS);
    x->nodes = xcalloc((size_t)options->ranks, sizeof *x->nodes);
    x->calls = xcalloc((size_t)options->ranks, sizeof *x->calls);
    x->trail = xcalloc((size_t)options->ranks, sizeof *x->trail);
    trails_init(&x->trails, options->ranks);
    for (size_t i = 0; i < options->places; i++)
        game_learn_cancel(&x->game, options->place[i]);
    x->game.learned = false;
    vec_push(&x->step, (struct step){0});
    return x;
}

static void pop(struct explorer *x)
{
    struct frame frame = vec_pop(&x->frame);

    if (frame.state)
        state_free(&x->game, frame.state);
}

void explore_free(struct explorer *x)
{
    while (x->frame.n)
        pop(x);
    vec_release(&x->step);
    vec_release(&x->frame);
    vec_release(&x->pending);
    vec_release(&x->assumed);
    vec_release(&x->doubts);
    vec_release(&x->decisions);
    vec_release(&x->buffered);
    vec_release(&x->unbuffered);
    vec_release(&x->path);
    seen_release(&x->cuts);
    seen_release(&x->seen);
    seen_release(&x->before);
    reduction_release(&x->reduction);
    menu_release(&x->menu);
    game_release(&x->game);
    trails_release(&x->trails);
    free(x->trail);
    free(x->calls);
    free(x->nodes);
    free(x);
}

/* ---- the end of a run ---- */

void search_find_path(struct explorer *x, uint32_t step)
{
    vec_clear(&x->path);
    for (; step; step = x->step.at[step].from)
        vec_push(&x->path, step);
    for (size_t i = 0, j = x->path.n; i + 1 < j; i++) {
        uint32_t other = x->path.at[--j];

        x->path.at[j] = x->path.at[i];
        x->path.at[i] = other;
    }
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
    case SEGMENT_CALL:
    case SEGMENT_EXIT:
        break;
    }
    return RUN_CLEAN;
}

/* Who came to grief, came before those that are left waiting. */
static void judge(struct explorer *x, const struct state *state, struct run *run)
{
    bool waits = false, polls = false;

    run->rank = state->clash;
    run->other = state->other;
    if (state->clash != RANK_NONE) {
        run->end = RUN_MISMATCH;
        return;
    }
    for (rank_t r = 0; r < x->game.ranks; r++) {
        const struct player *p = &state->player[r];
        enum run_end end = end_of_rank(x->game.tree.node.at[p->node].end);

        waits = waits || p->mode == PLAYER_WAITS || p->mode == PLAYER_PASSES;
        polls = polls || p->mode == PLAYER_POLLS;
        if (end != RUN_CLEAN && run->rank == RANK_NONE) {
            run->end = end;
            run->rank = r;
        }
    }
    if (run->rank == RANK_NONE)
        run->end = polls ? RUN_LIVELOCK : waits ? RUN_DEADLOCK : RUN_CLEAN;
}

static void look_at(struct explorer *x, const struct state *state, struct run *run)
{
    run->sem = state->sem;
    run->node = x->nodes;
    run->call = x->calls;
    judge(x, state, run);
    for (rank_t r = 0; r < x->game.ranks; r++) {
        x->nodes[r] = state->player[r].node;
        x->calls[r] = state_call(&x->game, state, r);
    }
}

static void tell_visitor(struct explorer *x, const struct run *run)
{
    if (x->visit(x->visitor, run) == VISIT_STOP)
        x->result.left |= LEFT_STOPPED;
}

static void tell_cut(void *data, const struct tight *tight)
{
    struct explorer *x = data;
    struct run run = {.number = x->result.runs, .step = x->telling, .cut = tight};

    look_at(x, tight->state, &run);
    if (run.end != RUN_DEADLOCK && run.end != RUN_LIVELOCK)
        return;
    x->result.cuts++;
    tell_visitor(x, &run);
}

void search_tell(struct explorer *x, const struct state *state, uint32_t step)
{
    enum { MOST_CUTS = 1000 };
    struct run run = {.number = ++x->result.runs, .step = step};
    bool cut = false;

    look_at(x, state, &run);
    x->result.by_end[run.end]++;
    tell_visitor(x, &run);
    if (!state->tight || x->result.left & LEFT_STOPPED)
        return;
    x->telling = step;
    if (tight_search(&x->game, &x->menu, state->tight, &x->cuts, MOST_CUTS, &cut, tell_cut, x) < 0)
        x->result.left |= LEFT_RUNNER;
    if (cut)
        x->result.left |= LEFT_SLACK;
}

/* ---- the search ---- */

static void assume(struct explorer *x, uint32_t step)
{
    const struct reduction *reduction = &x->reduction;

    if (!reduction->doubt.n)
        return;
    vec_push(&x->assumed, (struct assumption){step, (uint32_t)reduction->doubt.n, x->doubts.n});
    for (size_t i = 0; i < reduction->doubt.n; i++)
        vec_push(&x->doubts, reduction->doubt.at[i]);
}

/* Takes the state, and plans what is to be tried in it. */
static void expand(struct explorer *x, struct state *state, uint32_t step)
{
    struct menu *menu = &x->menu;
    struct frame frame = {state, step, x->frame.n ? vec_last(&x->frame).until : 0, 0};
    uint32_t first = 0, until;
    int point = -1;

    menu_fill(menu, &x->game, state);
    if (!menu->point.n) {
        if (!seen_has(&x->before, state->key))
            search_tell(x, state, step);
        state_free(&x->game, state);
        return;
    }
    until = (uint32_t)menu->option.n;
    if (!x->options.unreduced)
        point = reduce(&x->reduction, &x->game, state, menu);
    if (point >= 0) {
        assume(x, step);
        first = menu->point.at[point].first;
        until = first + menu->point.at[point].n;
    }
    x->result.whole += point < 0;
    x->pending.n = frame.first;
    while (until-- > first)
        vec_push(&x->pending, menu->option.at[until]);
    frame.until = x->pending.n;
    vec_push(&x->frame, frame);
}

static void visit(struct explorer *x, struct state *state, struct step step)
{
    if (!seen_add(&x->seen, state->key)) {
        state_free(&x->game, state);
        return;
    }
    x->result.states++;
    if (x->step.n >= UINT32_MAX)
        die("more than 2^32 states");
    vec_push(&x->step, step);
    expand(x, state, (uint32_t)x->step.n - 1);
}

struct state *search_begin(struct explorer *x)
{
    struct state *state = state_begin(&x->game, x->options.slack);

    if (!state || !x->options.any_slack)
        return state;
    state->tight = tight_begin(&x->game);
    if (state->tight)
        return state;
    state_free(&x->game, state);
    return NULL;
}

int search_take(struct explorer *x, struct state *state, const struct option *option)
{
    struct pick pick = {option->op, option->choice}; /* the menu is used again */

    if (menu_take(&x->game, state, option) == 0 &&
        (!state->tight || tight_follow(&x->game, &x->menu, state->tight, pick) == 0))
        return 0;
    state_free(&x->game, state);
    return -1;
}

static const struct option *find_option(const struct menu *menu, const struct step *step)
{
    for (size_t i = 0; i < menu->option.n; i++)
        if (menu->option.at[i].op == step->op && menu->option.at[i].choice == step->choice)
            return &menu->option.at[i];
    BUG("a state that was visited cannot be reached again");
}

int search_take_step(struct explorer *x, struct state *state, const struct step *step)
{
    menu_fill(&x->menu, &x->game, state);
    return search_take(x, state, find_option(&x->menu, step));
}

static double seconds_since(const struct timespec *start)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) * 1e-9;
}

/* Asked when there is something left to do. */
static bool is_over(struct explorer *x)
{
    if (x->options.max_runs && x->result.runs >= x->options.max_runs)
        x->result.left |= LEFT_RUNS;
    if (x->options.seconds > 0 && seconds_since(&x->start) > x->options.seconds)
        x->result.left |= LEFT_TIME;
    return x->result.left;
}

/* Takes options until none is left; -1: the runner failed. */
static int search(struct explorer *x)
{
    while (x->frame.n && !x->game.learned && !is_over(x)) {
        struct frame *frame = &vec_last(&x->frame);
        struct option option;
        struct state *state;
        uint32_t from = frame->step;

        if (frame->first == frame->until) {
            pop(x);
            continue;
        }
        option = x->pending.at[--frame->until];
        if (frame->first == frame->until) {
            state = frame->state;
            frame->state = NULL;
            pop(x);
        } else {
            state = state_clone(&x->game, frame->state);
        }
        x->result.steps++;
        if (search_take(x, state, &option) < 0)
            return -1;
        if (x->game.learned)
            state_free(&x->game, state); /* it was reached by rules that are no longer ours */
        else
            visit(x, state, (struct step){from, option.op, option.choice});
    }
    return 0;
}

/* The state that was reached by this step; NULL: the runner failed. */
static struct state *reach(struct explorer *x, uint32_t step)
{
    struct state *state = search_begin(x);

    search_find_path(x, step);
    for (size_t i = 1; state && i < x->path.n; i++)
        if (search_take_step(x, state, &x->step.at[x->path.at[i]]) < 0)
            return NULL;
    return state;
}

static bool is_refuted(const struct explorer *x, const struct assumption *assumption)
{
    for (uint32_t i = 0; i < assumption->doubts; i++)
        if (doubt_is_refuted(&x->game.tree, &x->doubts.at[assumption->first + i]))
            return true;
    return false;
}

/* Expands again the states whose reduction was wrong; -1: the runner failed. */
static int repair(struct explorer *x, bool *any)
{
    *any = false;
    for (size_t i = 0; i < x->assumed.n;) {
        struct assumption assumption = x->assumed.at[i];
        struct state *state;

        if (!is_refuted(x, &assumption)) {
            i++;
            continue;
        }
        if (is_over(x))
            return 0;
        x->assumed.at[i] = vec_pop(&x->assumed);
        state = reach(x, assumption.step);
        if (!state)
            return -1;
        x->result.again++;
        *any = true;
        expand(x, state, assumption.step);
        if (search(x) < 0)
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
    visit(x, state, (struct step){0});
    if (search(x) < 0)
        return -1;
    while (any && !x->result.left && !x->game.learned)
        if (repair(x, &any) < 0)
            return -1;
    return 0;
}

/* Forgets how far it got, but not what ends were told. */
static void begin_anew(struct explorer *x)
{
    while (x->frame.n)
        pop(x);
    seen_add_all(&x->before, &x->seen);
    seen_release(&x->seen);
    vec_clear(&x->assumed);
    vec_clear(&x->doubts);
    x->step.n = 1;
    x->result.states = 0;
    x->game.learned = false;
    x->result.anew++;
}

static int search_all(struct explorer *x)
{
    while (search_once(x) == 0) {
        if (!x->game.learned || x->result.left)
            return 0;
        begin_anew(x);
    }
    return -1;
}

struct explore_result explore_run(struct explorer *x, visit_fn *visit, void *visitor)
{
    x->visit = visit;
    x->visitor = visitor;
    clock_gettime(CLOCK_MONOTONIC, &x->start);
    if (search_all(x) < 0)
        x->result.left |= LEFT_RUNNER;
    if (x->menu.cut)
        x->result.left |= LEFT_SETS;
    x->result.segments = x->game.tree.segments;
    x->result.spins = x->game.spins;
    return x->result;
}
