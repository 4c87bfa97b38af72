/*
 * conclusion -- what can be said when a search is over: its bounds, what only all runs together show,
 * and the verdict.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "verification/verification.h"
#include "base/deadline.h"
#include "base/mem.h"
#include "check/pair.h"
#include "check/races.h"
#include "diagnosis/diagnosis.h"
#include "explore/detours.h"
#include "verification/run_files.h"

/* What a rank does that is killed whenever it is tried is not known. */
static void add_killed(struct verification *v)
{
    char text[128];
    rank_t rank = v->run.drive ? drive_killed(v->run.drive) : RANK_NONE;
    if (rank == RANK_NONE)
        return;
    snprintf(text, sizeof text, "rank %d was killed again and again (SIGKILL): by somebody else, or memory ran out", rank);
    result_add_bound(&v->result, text);
}

/* Whatever was cut short is said. */
static void add_bounds(struct verification *v, const struct explore_result *explored)
{
    char text[128];
    if (v->options.engine == ENGINE_PREDICT && explored->left & LEFT_RUNS) {
        char *statement = foresight_statement(&v->foresight);
        result_add_bound(&v->result, statement);
        free(statement);
    } else if (explored->left & LEFT_RUNS) {
        snprintf(text, sizeof text, "limit of %" PRId64 " runs reached", v->options.arguments.max_runs);
        result_add_bound(&v->result, text);
    }
    bool late = v->options.arguments.time > 0 && progress_seconds(&v->progress) >= v->options.arguments.time;
    if (explored->left & LEFT_TIME || (explored->left & LEFT_RUNNER && late)) {
        snprintf(text, sizeof text, "time limit of %.10g s reached", v->options.arguments.time);
        result_add_bound(&v->result, text);
    }
    if (drive_signal()) {
        snprintf(text, sizeof text, "stopped by signal %d (%s)", drive_signal(), strsignal(drive_signal()));
        result_add_bound(&v->result, text);
    } else if (explored->left & LEFT_RUNNER && !late) {
        result_add_bound(&v->result, "a rank could not be run on");
    }
    if (explored->left & LEFT_STOPPED)
        result_add_bound(&v->result, "stopped at the first defect");
    if (explored->left & LEFT_SETS)
        result_add_bound(&v->result, "not every set that MPI_Waitsome can return was tried");
    if (explored->left & LEFT_SLACK)
        result_add_bound(&v->result, "not every choice of what MPI buffers was tried");
    if (explored->left & LEFT_WINDOWS)
        result_add_bound(&v->result, "where MPI buffers less, ranks that look at a window again and again could not be followed to the end; --buffering=zero takes it to buffer nothing");
    if (explored->left & LEFT_MIXING)
        result_add_bound(&v->result, "alternatives were not all combined with each other");
    if (explored->left & LEFT_LATE) {
        snprintf(text, sizeof text, "polls said no at most %" PRId64 " time%s where a yes can come",
                 v->options.arguments.poll_bound, v->options.arguments.poll_bound == 1 ? "" : "s");
        result_add_bound(&v->result, v->options.arguments.poll_bound ? text : "polls said no only where no yes can come");
    }
    if (explored->left & LEFT_REGIONS)
        result_add_bound(&v->result, "one choice only was tried where MPI_Pcontrol(0) asks for it");
    if (explored->left & LEFT_UNKNOWN)
        result_add_bound(&v->result, "not every run could be led to its end");
    if (explored->left & LEFT_SAMPLED)
        result_add_bound(&v->result, "runs were taken at random");
    if (v->diverged)
        result_add_bound(&v->result, "a rank is not deterministic");
    add_killed(v);
    char *unseen = backend_unseen_calls(&v->backend);
    if (unseen)
        result_add_bound(&v->result, unseen);
    v->unseen = v->unseen || unseen;
    free(unseen);
    if (v->refused)
        result_add_bound(&v->result, v->is_mpi ? "a call is not supported" : "no rank called MPI_Init");
}

/* Runs that merging spared, if that is known; numbers that JSON cannot hold are cut. */
static uint64_t spared(const struct explore_result *explored)
{
    const double most = 9007199254740992; /* 2^53 */
    if (explored->at_most)
        return 0;
    double spared = explored->stood_for - (double)explored->runs;
    return spared < 0 ? 0 : (uint64_t)(spared < most ? spared : most);
}

/* Matches that could be made, and were not for the search was cut short. */
static void look_at_open(struct verification *v)
{
    const struct dispute *dispute;
    while (!deadline_is_over() && (dispute = check_next_open(&v->check, v->run.explorer))) {
        struct defect defect = pair_defect(v->run.explorer, dispute, false);
        v->run.run = NULL;
        v->run.account = explore_dispute_account(v->run.explorer, dispute);
        verification_look_at_defect(v, &defect);
    }
}

static bool has_ops(struct verification *v, const struct defect *defect)
{
    for (uint32_t i = 0; i < defect->ops; i++)
        if (run_view_number(&v->run, defect->op[i].rank, defect->op[i].op) < 0)
            return false;
    return true;
}

/* A run in which it can be seen: one of the first that have its operations, or just the first. */
static void find_run_with(struct verification *v, const struct defect *defect)
{
    enum { TRIES = 64 };
    struct explorer *explorer = v->run.explorer;
    for (size_t i = 0; i < TRIES && !deadline_is_over() && (v->run.account = explore_good_account(explorer, i)); i++)
        if (has_ops(v, defect))
            return;
    v->run.account = explore_good_account(explorer, 0);
    if (!v->run.account)
        v->run.account = explore_first_account(explorer);
}

/* In a program that can go wrong, the wildcard is behind what was found. */
static void look_at_races(struct verification *v, const struct explore_result *explored)
{
    bool benign = policy_severity(&v->options.policy, KIND_MESSAGE_RACE, "off") != SEVERITY_OFF;
    defects_t defects = {0};
    if (explored->left || v->refused || v->diverged || v->bad_runs > v->before.bad_runs || deadline_is_over())
        return;
    races_add(v->run.explorer, benign, &defects);
    v->run.run = NULL;
    for (size_t i = 0; i < defects.n && !deadline_is_over(); i++) {
        find_run_with(v, &defects.at[i]);
        verification_look_at_defect(v, &defects.at[i]);
    }
    vec_release(&defects);
}

/* Accesses to windows and files, in the runs that the search has not gone through as a whole because it knew the states on their way. */
static void look_at_access_orders(struct verification *v, const struct explore_result *explored)
{
    enum { MOST = 4096 };
    const struct account *account = NULL;
    defects_t defects = {0};
    bool windows = explore_has_windows(v->run.explorer), files = explore_has_file_accesses(v->run.explorer);
    if (!(windows || files) || explored->left & LEFT_STOPS || v->refused || v->diverged)
        return;
    struct detours *detours = detours_new(v->run.explorer, MOST);
    v->run.run = NULL;
    while (!deadline_is_over() && (account = detours_next(detours))) {
        vec_clear(&defects);
        v->run.account = account;
        v->orders++;
        struct told_run told = explore_told_run(v->run.explorer, account);
        if (windows) {
            verification_note_way(v, account);
            v->check.unfollowed += !window_races_add(&v->check.races, &told, v->check.touches, &defects);
        }
        if (files)
            file_races_add(&v->check.files, &told, v->check.races.remarks, &defects);
        for (size_t i = 0; i < defects.n; i++)
            verification_look_at_defect(v, &defects.at[i]);
    }
    v->all_orders = !account && detours_are_all(detours);
    detours_free(detours);
    vec_release(&defects);
}

/* Only the whole search shows that nothing goes wrong otherwise.  Each is told with a run that goes wrong by it. */
static void look_at_reliance(struct verification *v, const struct explore_result *explored)
{
    relied_t relied = {0};
    if (!explored->left && !v->refused && !v->diverged && !deadline_is_over())
        reliances_add(&v->reliances, &relied);
    v->run.run = NULL;
    for (size_t i = 0; i < relied.n; i++) {
        v->run.account = explore_step_account(v->run.explorer, relied.at[i].step);
        if (!v->run.account || !has_ops(v, &relied.at[i].defect)) /* the search has begun anew since */
            v->run.account = explore_first_account(v->run.explorer);
        verification_look_at_defect(v, &relied.at[i].defect);
    }
    vec_release(&relied);
}

uint32_t verification_settled(const struct verification *v)
{
    return v->options.arguments.given[OPTION_ASSUME] && foresight_excludes_deadlock(&v->foresight)
               ? LEFT_RUNS | LEFT_SLACK
               : 0;
}

static enum verdict verdict_of(const struct verification *v, uint32_t left)
{
    if (result_has_errors(&v->result)) /* also one that was found before a call was refused */
        return VERDICT_DEFECTS;
    return left || v->refused || v->diverged || v->unseen ? VERDICT_INCOMPLETE : VERDICT_CLEAN;
}

/* Whether the search, should it have begun anew since, has another step of that number. */
static bool has_lost_its_step(const struct verification *v, size_t at)
{
    const struct finding *finding = &v->result.findings.at[at];
    const struct account *account = explore_step_account(v->run.explorer, v->sightings.at[at].step);
    if (!account || account->decisions != finding->decisions.n)
        return true;
    for (size_t i = 0; i < account->decisions; i++)
        if (!decision_is_same(&account->decision[i], &finding->decisions.at[i].decision))
            return true;
    return false;
}

static void add_turning(struct verification *v, size_t at)
{
    struct finding *finding = &v->result.findings.at[at];
    uint32_t step = v->sightings.at[at].step;
    struct turning turning;
    if (!step || !finding_is_error(finding) || has_lost_its_step(v, at))
        return;
    flaws_aim(&v->flaws, v->run.explorer, (uint32_t)at);
    if (!explore_turning(v->run.explorer, step, &turning))
        return;
    struct run_view clean = v->run;
    clean.run = NULL;
    clean.account = turning.instead;
    diagnosis_complete(&clean, v->symbols, turning.critical, finding);
    run_files_write_clean(&v->session.dir, &clean, v->symbols, finding->id);
}

/* What the search left open is one bound; that there was no time to look at all of it is another. */
static void conclude(struct verification *v, struct explore_result *explored)
{
    for (size_t i = 0; i < v->result.findings.n && !deadline_is_over(); i++)
        add_turning(v, i);
    look_at_open(v);
    look_at_races(v, explored);
    look_at_access_orders(v, explored);
    look_at_reliance(v, explored);
    v->run.run = NULL;
    if (deadline_is_over() && !explored->left)
        explored->left |= drive_signal() ? LEFT_RUNNER : LEFT_TIME;
}

void verification_complete(struct verification *v, struct explore_result *explored)
{
    struct result *result = &v->result;
    result->runs = result->distinct = v->before.runs + explored->runs;
    result->segments = v->before.segments + explored->segments;
    result->merged = v->before.merged + spared(explored);
    result->windows = (struct kept_windows){explored->windows.slots, explored->windows.exclusive, explored->windows.ordered};
    conclude(v, explored);
    add_bounds(v, explored);
    verification_note_complete(v);
    if (explored->states) {
        verification_assume_polls(v, explored);
        verification_assume_copies(v);
        verification_assume_faults(v);
        verification_keep_tree(v);
    }
    result->verdict = verdict_of(v, v->before.left | (explored->left & ~verification_settled(v)));
    verification_suggest(v, explored);
}
