/*
 * call_stacks -- from where the operations were called of the runs that the report shows.
 *
 * The search takes no stacks: that would make every call of every run slower.  When it is over and its
 * result is in the directory, the few runs that are shown are made once more, in silence, by ranks that
 * tell them.  Nothing of that is counted, told or needed: a run that goes another way now, or takes too
 * long, is shown with the places of its calls alone.
 */
#include <string.h>

#include "verification/verification.h"
#include "base/deadline.h"
#include "base/mem.h"
#include "diagnosis/chart_stacks.h"
#include "replay/rerun.h"
#include "world/program.h"

enum { HANG_TIMEOUT = 1 }; /* seconds: that a rank hangs was seen before */

static enum visit visit_without_opinion(void *nobody, const struct run *run)
{
    (void)nobody, (void)run;
    return VISIT_GOOD;
}

struct stacking {
    struct verification *v;
    double until; /* seconds since the search began */
    bool any;     /* something is known now that was not */
};

/* As long as the search took, in what is left of its time. */
double verification_end_of_again(const struct verification *v)
{
    enum { AT_LEAST = 10 };
    double took = progress_seconds(&v->progress), end = took + (took > AT_LEAST ? took : AT_LEAST);
    return v->options.arguments.time > 0 && v->options.arguments.time < end ? v->options.arguments.time : end;
}

static double seconds_left(const struct stacking *stacking)
{
    return stacking->until - progress_seconds(&stacking->v->progress);
}

/* ---- the sites of a finding ---- */

static const struct act *act_at(const struct run_chart *run, const struct site *site)
{
    if (site->rank < 0 || (size_t)site->rank >= run->lanes.n)
        return NULL;
    const struct lane *lane = &run->lanes.at[site->rank];
    for (size_t i = 0; i < lane->acts.n; i++)
        if (lane->acts.at[i].op == site->op)
            return &lane->acts.at[i];
    return NULL;
}

static struct named_place copy_place(const struct named_place *place)
{
    return (struct named_place){xstrdup(place->place), place->function ? xstrdup(place->function) : NULL,
                                place->file ? xstrdup(place->file) : NULL, place->line};
}

static void add_callers(const struct run_chart *run, struct site *site)
{
    const struct act *act = act_at(run, site);
    if (!act || act->frame < 0 || site->callers.n)
        return;
    for (int32_t at = run->frames.at[act->frame].caller; at >= 0; at = run->frames.at[at].caller)
        if (run->frames.at[at].place >= 0)
            vec_push(&site->callers, copy_place(&run->places.at[run->frames.at[at].place]));
}

/* The decision after which it was inevitable is told apart from the rest; so is what would have been better. */
static void complete_decision(const struct finding *finding, const struct run_chart *run, struct kept_decision *choice,
                              size_t n)
{
    if (finding->critical >= 0 && (size_t)finding->critical < n)
        add_callers(run, &choice[finding->critical].site);
}

static void complete_sites(struct finding *finding, const struct run_chart *run)
{
    for (size_t i = 0; i < finding->places.n; i++)
        add_callers(run, &finding->places.at[i]);
    for (size_t i = 0; i < finding->buffered.n; i++)
        add_callers(run, &finding->buffered.at[i]);
    for (size_t i = 0; i < finding->unbuffered.n; i++)
        add_callers(run, &finding->unbuffered.at[i]);
    complete_decision(finding, run, finding->decisions.at, finding->decisions.n);
}

/* ---- runs ---- */

/* What is called in main() has no stack beyond that. */
static bool is_main(const struct named_place *place)
{
    static const char name[] = "main";
    size_t length = sizeof name - 1;
    return place->function && strncmp(place->function, name, length) == 0 &&
           (!place->function[length] || place->function[length] == '+');
}

static bool lacks_stacks(const struct run_chart *run)
{
    for (size_t i = 0; i < run->places.n && !run->frames.n; i++)
        if (!is_main(&run->places.at[i]))
            return true;
    return false;
}

/* A run that is kept, if it is worth to be made once more. */
static bool read_run_without_stacks(const struct verification *v, const struct finding *finding, bool clean,
                                    struct run_chart *run)
{
    char *why;
    bool good = dir_read_run(v->session.dir.path, finding->id, clean, run, &why);
    free(why);
    if (good && !lacks_stacks(run)) {
        run_chart_release(run);
        return false;
    }
    return good;
}

static struct rerun open_again(const struct stacking *stacking, const struct finding *finding)
{
    struct verification *v = stacking->v;
    progress_say(&v->progress, "runs are made once more, for their stacks; Ctrl-C leaves these out");
    deadline_begin(seconds_left(stacking));
    struct world_options world = rerun_world(&v->result, finding, seconds_left(stacking));
    world.stacks = true;
    world.unguarded = v->options.world.unguarded;
    if (finding_is(finding, KIND_HANG))
        world.hang_timeout = HANG_TIMEOUT;
    return rerun_open(&v->result, finding, &world);
}

static void add_stacks(struct stacking *stacking, struct rerun *rerun, struct finding *finding, bool clean,
                       struct run_chart *run)
{
    struct verification *v = stacking->v;
    int status = clean ? rerun_clean_run(rerun, finding, visit_without_opinion, NULL)
                       : rerun_finding(rerun, finding, visit_without_opinion, NULL);
    if (status < 0 || !chart_stacks_add(run, &rerun->run, v->symbols))
        return;
    status = dir_write_run(&v->session.dir, finding->id, clean, run);
    (void)status; /* the result, which matters more, complains */
    stacking->any = true;
    if (clean)
        complete_decision(finding, run, finding->clean.at, finding->clean.n);
    else
        complete_sites(finding, run);
}

/* Its ranks are started when they are needed. */
static void complete_run(struct stacking *stacking, struct rerun *rerun, struct finding *finding, bool clean)
{
    struct run_chart run;
    if (drive_signal() || seconds_left(stacking) <= 0 || !read_run_without_stacks(stacking->v, finding, clean, &run))
        return;
    if (!rerun->run.explorer)
        *rerun = open_again(stacking, finding);
    add_stacks(stacking, rerun, finding, clean, &run);
    run_chart_release(&run);
}

/* Runs of both can be made by the same ranks. */
static bool can_share_ranks(const struct finding *a, const struct finding *b)
{
    if (a->args.n != b->args.n || a->node_ranks != b->node_ranks || a->cancellable.n != b->cancellable.n ||
        finding_is(a, KIND_HANG) != finding_is(b, KIND_HANG))
        return false;
    for (size_t i = 0; i < a->args.n; i++)
        if (strcmp(a->args.at[i], b->args.at[i]) != 0)
            return false;
    return !a->cancellable.n ||
           memcmp(a->cancellable.at, b->cancellable.at, a->cancellable.n * sizeof *a->cancellable.at) == 0;
}

static void complete_alike(struct stacking *stacking, size_t first, bool *done)
{
    struct result *result = &stacking->v->result;
    struct finding *findings = result->findings.at;
    struct rerun rerun = {0};
    for (size_t i = first; i < result->findings.n; i++)
        if (!done[i] && can_share_ranks(&findings[first], &findings[i])) {
            done[i] = true;
            complete_run(stacking, &rerun, &findings[i], false);
            complete_run(stacking, &rerun, &findings[i], true);
        }
    if (rerun.run.explorer)
        rerun_close(&rerun);
}

/* Ranks that somebody said how to start may be too many for this machine, or cannot run here. */
static bool runs_here(const struct verification *v)
{
    return !v->options.arguments.launcher;
}

/* Whoever mends the program while it is searched builds it anew. */
static bool is_as_it_was(const struct verification *v)
{
    char *digest = program_digest(v->path);
    bool same = digest && v->result.binary && strcmp(digest, v->result.binary) == 0;
    free(digest);
    return same;
}

bool verification_can_run_again(const struct verification *v)
{
    return v->result.findings.n && runs_here(v) && is_as_it_was(v);
}

bool verification_add_stacks(struct verification *v)
{
    struct stacking stacking = {.v = v, .until = verification_end_of_again(v)};
    size_t n = v->result.findings.n;
    bool *done = xcalloc(n + 1, sizeof *done);
    v->is_searched = true;
    bool can = verification_can_run_again(v);
    for (size_t i = 0; i < n && can; i++) {
        done[i] = done[i] || finding_is(&v->result.findings.at[i], KIND_DIVERGENCE); /* nobody can make that run twice */
        if (!done[i])
            complete_alike(&stacking, i, done);
    }
    free(done);
    progress_clear(&v->progress);
    return stacking.any;
}
