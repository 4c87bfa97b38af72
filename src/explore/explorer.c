/*
 * explorer -- an explorer from its beginning to its end: what it keeps, what it forgets when the search begins anew, and what it says of itself.
 */
#include "explore/search.h"

#include <string.h>

#include "base/bug_context.h"
#include "base/log.h"
#include "explore/invariants.h"

enum { ROUNDS = 16, AHEAD = 1 << 12 };

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

void explore_free(struct explorer *x)
{
    while (x->frame.n)
        search_pop(x);
    agenda_release(&x->agenda, &x->game);
    sidesteps_release(&x->sidesteps, &x->game);
    later_rounds_release(&x->later);
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
    bulk_release(&x->unowing);
    step_index_release(&x->stand_ins);
    bulk_release(&x->detour);
    known_states_release(&x->known);
    map_release(&x->ends);
    map_release(&x->early_ends);
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

/* Every state has more players from now on, so none of the ends that were told is met again. */
static void give_up_runs(struct explorer *x)
{
    map_release(&x->ends);
    seen_release(&x->slack_deadlocks);
    map_release(&x->early_ends);
    x->result.given_up += x->result.runs > 0;
    x->result.runs = 0;
    x->result.slack_deadlocks = 0;
    memset(x->result.by_end, 0, sizeof x->result.by_end);
}

void search_begin_anew(struct explorer *x)
{
    while (x->frame.n)
        search_pop(x);
    agenda_release(&x->agenda, &x->game);
    sidesteps_begin_anew(x);
    later_rounds_release(&x->later);
    spin_forget_later(&x->game.tree);
    waypoints_release(&x->waypoints, &x->game);
    edges_ahead_release(&x->ahead);
    x->level = x->other_level = 0;
    x->dives = (struct dives){0};
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
    x->unowing.n = 0;
    step_index_release(&x->stand_ins);
    x->owes = false;
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
        give_up_runs(x);
        x->scouted = false;
    }
    x->result.anew += !x->game.tree.scout_due;
    x->begun_at = search_work(x);
    LOG(explore, "the search begins anew, since %s",
        x->game.tree.scout_due ? "a run is to be made ahead" : "something is not as it was taken for");
}

struct window_lessons explore_windows(const struct explorer *x)
{
    return x->game.windows.lessons;
}

uint32_t explore_times_anew(const struct explorer *x)
{
    return x->result.anew;
}

bool explore_will_begin_anew(const struct explorer *x)
{
    return x->game.learned && !x->options.samples;
}

uint32_t explore_times_given_up(const struct explorer *x)
{
    return x->result.given_up;
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

    complete.buffered = x->owes || x->result.left & LEFT_SLACK || (complete.from == FROM_RUN_AHEAD && x->options.any_slack);
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
        n += !polled.gives_up && !polled.settles;
    return n;
}

/* If nothing better can be said. */
static void find_what_is_known_of_one_departure(struct explorer *x)
{
    struct completeness *complete = &x->result.complete;

    if (x->result.left & (LEFT_TIME | LEFT_RUNS))
        search_find_late_departures(x, complete);
    if (!completeness_is_news(complete) && complete->departures < 2 && !complete->known)
        sidesteps_say(&x->sidesteps, complete);
}

/* The search would begin anew if it went on: what it has come to does not count, but who departs from the run made ahead may. */
static void retract_what_is_known(struct explorer *x)
{
    x->result.complete = (struct completeness){0};
    sidesteps_begin_anew(x);
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
    waypoints_release(&x->waypoints, &x->game); /* to count takes memory, too */
    step_index_release(&x->slack_safety.met);
    search_count(x);
    if (explore_will_begin_anew(x))
        retract_what_is_known(x);
    if (x->result.left & LEFT_STOPS && !x->options.samples && !search_has_bound(x))
        find_what_is_known_of_one_departure(x);
    x->result.complete = explore_complete_so_far(x);
    if (x->owes && x->result.left & LEFT_STOPS)
        x->result.left |= LEFT_SLACK;
    x->result.segments = x->game.tree.segments;
    x->result.merged = x->game.tree.merged;
    x->result.likened = x->game.tree.likened;
    x->result.questioned = x->slack_safety.looked_at;
    x->result.windows = x->game.windows.lessons;
    x->result.dynamic = x->game.tree.dynamic;
    x->result.spins = count_endless(x);
    bug_context_leave(&context);
    return x->result;
}
