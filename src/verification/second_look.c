/*
 * second_look -- loads and stores of the program itself in windows, seen without another build of it.
 *
 * The search runs everything at full speed.  When it is over, some of its runs are made once more, in silence, by ranks that tell
 * what they load and store in windows (shim/touches.h), several in one explorer, so that what they have in common is run once.
 * What is found then is a finding like any other.  How many runs are looked at is a matter of counts and not of time.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/deadline.h"
#include "base/log.h"
#include "base/mem.h"
#include "replay/rerun.h"
#include "result/assumptions.h"
#include "symbols/site.h"
#include "verification/verification.h"

enum { MOST_RUNS = 16 };

/* A run is worth a look if a rank does in it what it did in no other one so far. */
static bool is_new_way(struct verification *v, const struct account *account)
{
    bool any = false;
    for (rank_t r = 0; r < v->run.ranks; r++)
        for (size_t i = 0; i < account->trail[r].n; i++) {
            struct map_key key = map_key(account->trail[r].node[i]);
            any |= !map_find(&v->looks.nodes, key, 0);
            map_put(&v->looks.nodes, key, 1);
        }
    return any;
}

static bool has_new_end(const struct verification *v, const struct run *run)
{
    for (rank_t r = 0; r < v->run.ranks; r++)
        if (!map_find(&v->looks.nodes, map_key(run->node[r]), 0))
            return true;
    return false;
}

static void begin_looks_anew(struct verification *v)
{
    if (v->looks.times_anew == explore_times_anew(v->run.explorer))
        return;
    verification_forget_looks(v);
    v->looks.times_anew = explore_times_anew(v->run.explorer);
}

void verification_note_look(struct verification *v, const struct run *run)
{
    begin_looks_anew(v);
    if (explore_will_begin_anew(v->run.explorer)) /* then it is visited once more */
        return;
    if (v->told_touches || !run->step || run->less_slack || !explore_has_windows(v->run.explorer) || v->looks.runs.n == MOST_RUNS ||
        v->options.dist || !has_new_end(v, run))
        return;
    is_new_way(v, explore_account(v->run.explorer, run));
    v->run.account = NULL;
    vec_push(&v->looks.runs, ((struct looked_run){.step = run->step, .end = run->end}));
}

/* What a rank complains of, say a buffer on its stack that it has read, may be seen for the first time by a closer look. */
static void keep_way(const struct verification *v, struct looked_run *run, const struct account *account)
{
    run->decisions = account->decisions;
    run->decision = xmemdup(account->decision, account->decisions, sizeof *account->decision);
    for (size_t i = 0; i < run->decisions; i++)
        run->decision[i] = explore_silent_decision(v->run.explorer, run->decision[i]);
    run->places = account->places;
    run->place = xmemdup(account->place, account->places, sizeof *account->place);
}

void verification_note_way(struct verification *v, const struct account *account)
{
    if (v->told_touches || v->looks.runs.n == MOST_RUNS || v->options.dist || !is_new_way(v, account))
        return;
    struct looked_run run = {.any_end = true};
    keep_way(v, &run, account);
    vec_push(&v->looks.runs, run);
}

struct look {
    struct verification *v;
    struct finding as; /* the arguments of the search; owned */
    struct rerun rerun;
    struct window_races races;
    bool opened;
    const struct looked_run *in_hand;
    bool strayed; /* it did not go as the search saw it */
    uint64_t looked;   /* runs */
};

/* What was loaded and stored, compared with all accesses of the run. */
static void look_at_touches(struct look *look)
{
    struct verification *v = look->v;
    struct local_touches touches = drive_touches(v->run.drive);
    defects_t defects = {0};
    struct told_run told = explore_told_run(v->run.explorer, v->run.account);
    look->strayed = !window_races_add(&look->races, &told, &touches, &defects);
    for (size_t i = 0; i < defects.n; i++)
        v->complaint_errors += verification_look_closer(v, &defects.at[i]);
    vec_release(&defects);
}

static enum visit see_end(void *data, const struct run *run)
{
    struct look *look = data;
    look->strayed = !look->in_hand->any_end && run->end != look->in_hand->end;
    return VISIT_GOOD;
}

/* The program, and the arguments, of this search, as those of a finding would be. */
static struct finding finding_of_search(const struct verification *v, const struct looked_run *run)
{
    struct finding finding = {.critical = -1, .node_ranks = v->line ? v->line->node_ranks : 0};
    finding.input = v->line && v->line->input ? xstrdup(v->line->input) : NULL;
    for (char **word = v->line ? v->line->argv + 1 : NULL; word && *word; word++)
        vec_push(&finding.args, xstrdup(*word));
    for (size_t i = 0; i < run->places; i++)
        vec_push(&finding.cancellable, run->place[i]);
    return finding;
}

/* 0: as long as it takes. */
static double seconds_left_to_look(const struct verification *v)
{
    const double moment = 1;
    double time = v->options.arguments.time, rest = time - progress_seconds(&v->progress);
    return time > 0 ? rest > moment ? rest : moment : 0;
}

static void open_look(struct look *look, const struct looked_run *run)
{
    struct verification *v = look->v;
    look->as = finding_of_search(v, run);
    struct world_options world = rerun_world(&v->result, &look->as, seconds_left_to_look(v));
    world.touches = true;
    world.unguarded = v->options.world.unguarded;
    look->rerun = rerun_open(&v->result, &look->as, &world);
    look->opened = true;
}

/*
 * By its decisions, in an explorer that has made others before.  A finding keeps the run as it was made here.  One that ends in
 * a state in which another has ended is not told, but can be gone along.  Whether it could be looked at.
 */
static bool look_at_run(struct look *look, const struct looked_run *run, rank_t slow, bool ahead)
{
    struct verification *v = look->v;
    struct replay_manner manner = {.silent = true,
                                   .endless = run->any_end || run->end == RUN_LIVELOCK,
                                   .has_slow = slow != RANK_NONE,
                                   .slow = slow,
                                   .ahead = ahead};
    if (!look->opened)
        open_look(look, run);
    look->in_hand = run;
    look->strayed = false;
    v->looks.slow = slow == RANK_NONE ? 0 : slow + 1;
    if (explore_replay(look->rerun.run.explorer, manner, run->decisions, run->decision, see_end, look) < 0 || look->strayed)
        return false;
    v->run = look->rerun.run;
    v->run.account = explore_replayed(v->run.explorer);
    verification_look_at_complaints(v);
    v->run.account = explore_replayed(v->run.explorer);
    look_at_touches(look);
    return !look->strayed;
}

/*
 * Who is brought news of a window is taken to have waited for them, if only they come before it loads (W14).  A rank that is slow brings none before it has
 * to, and, once it has a lock, loads only when the others are done: so runs with such news are made once more with each rank slow in turn: one
 * that has several locks, one after the other, is late with the last of them before others have theirs, or else with the first (`ahead`).
 */
static void look_at_slow_runs(struct look *look, bool ahead)
{
    const struct verification *v = look->v;
    size_t n = 0;
    for (size_t i = 0; i < v->looks.runs.n && look->races.by_news; i++)
        for (rank_t r = 0; r < v->run.ranks && n < MOST_RUNS && !deadline_is_over(); r++, n++)
            look_at_run(look, &v->looks.runs.at[i], r, ahead);
}

/* ---- what is said of it ---- */

static char *place_of_unseen(struct verification *v, struct run_view *view, const struct unseen_touch *unseen)
{
    struct op op = {.kind = OP_NONE, .place = unseen->place};
    struct final_state final = run_view_final_state(view);
    struct site site = site_of_op(&final, v->symbols, unseen->rank, &op, -1);
    char *place = xstrdup(site.place);
    site_release(&site);
    return place;
}

void verification_assume_unseen(struct verification *v, struct run_view view)
{
    enum { TOLD = 8 };
    const unseen_touches_t *unseen = drive_unseen_touches(view.drive);
    for (size_t i = 0; i < unseen->n && i < TOLD; i++) {
        char text[160], *place = place_of_unseen(v, &view, &unseen->at[i]);
        snprintf(text, sizeof text,
                 "loads and stores in window %" PRIu32 " were not all looked at from there to the next call of MPI",
                 unseen->at[i].slot);
        result_assume_that(&v->result, ASSUMED_WINDOWS, place, text);
        free(place);
    }
}

static void assume_looks(struct verification *v, const struct look *look)
{
    char text[160];
    bool all = v->looks.runs.n < MOST_RUNS && look->looked == v->looks.runs.n;
    snprintf(text, sizeof text, "loads and stores of the program in windows were looked at in %" PRIu64 " run%s%s",
             look->looked, look->looked == 1 ? "" : "s",
             all ? "" : "; in others, only what they change there is known");
    result_assume_that(&v->result, ASSUMED_WINDOWS, NULL, text);
    if (look->races.by_news)
        verification_assume_news(v);
}

/* The verdict was about what the search saw. */
static void judge_again(struct verification *v)
{
    if (result_has_errors(&v->result))
        v->result.verdict = VERDICT_DEFECTS;
    verification_save(v);
}

void verification_look_twice(struct verification *v)
{
    struct look look = {.v = v};
    const size_t complaints = v->complaints;
    if (!v->looks.runs.n || v->refused || v->diverged || drive_signal())
        return;
    v->complaints = 0;
    for (size_t i = 0; i < v->looks.runs.n && !deadline_is_over(); i++)
        look.looked += look_at_run(&look, &v->looks.runs.at[i], RANK_NONE, false);
    look_at_slow_runs(&look, false);
    look_at_slow_runs(&look, true);
    v->complaints = complaints;
    v->looks.slow = 0;
    assume_looks(v, &look);
    window_races_release(&look.races);
    if (look.opened) {
        struct run_view view = look.rerun.run;
        view.account = explore_replayed(view.explorer);
        verification_assume_unseen(v, view);
        rerun_close(&look.rerun);
        finding_release(&look.as);
    }
    judge_again(v);
}

void verification_prepare_looks(struct verification *v)
{
    for (size_t i = 0; i < v->looks.runs.n; i++) {
        struct looked_run *run = &v->looks.runs.at[i];
        const struct account *account = run->step ? explore_step_account(v->run.explorer, run->step) : NULL;
        if (account)
            keep_way(v, run, account);
    }
}

void verification_forget_looks(struct verification *v)
{
    for (size_t i = 0; i < v->looks.runs.n; i++) {
        free(v->looks.runs.at[i].decision);
        free(v->looks.runs.at[i].place);
    }
    vec_release(&v->looks.runs);
    map_release(&v->looks.nodes);
}
