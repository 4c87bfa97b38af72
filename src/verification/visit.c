/*
 * visit -- one run of the search: what is wrong with it, and what the search is to think of it.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "verification/verification.h"
#include "base/mem.h"
#include "verification/run_record.h"

static void show_progress(struct verification *v)
{
    double covered = explore_progress(v->run.explorer);
    struct progress_figures figures = {.runs = v->result.runs,
                                       .estimate =
                                           covered > 0 ? (double)(v->result.runs - v->before.runs) / covered : 0,
                                       .findings = v->result.findings.n,
                                       .complete = explore_complete_so_far(v->run.explorer)};
    progress_show(&v->progress, &figures);
}

/* Of runs that go wrong in great number some are enough to look at. */
static void note_end(struct verification *v)
{
    enum { MOST = 100000 };
    const struct run *run = v->run.run;
    if (v->times_anew != explore_times_anew(v->run.explorer)) {
        v->times_anew = explore_times_anew(v->run.explorer);
        vec_clear(&v->ended);
    }
    if (v->now != NOT_TOLD && v->ended.n < MOST)
        vec_push(&v->ended, (struct tree_end){run->step, v->now + 1, run->less_slack != NULL});
}

static enum visit judge_visited_run(struct verification *v)
{
    uint64_t number = v->run.run->number;
    VEC(uint32_t) flaw = {0};
    defects_t defects = {0};
    v->now = NOT_TOLD;
    bool bad = verification_look_at_end(v);
    check_run(&v->check, v->run.explorer, v->run.run, v->run.ranks, &defects);
    bool unseen = v->run.run->end == RUN_REFUSED; /* nobody knows how it would have gone on */
    enum visit opinion = bad || unseen ? VISIT_BAD : VISIT_GOOD;
    if (bad && !v->run.run->less_slack)
        reliances_see(&v->reliances, v->run.explorer, v->run.run);
    v->run.account = NULL; /* it may have been made anew */
    for (size_t i = 0; i < defects.n; i++)
        if (verification_look_at_defect(v, &defects.at[i])) {
            bad = true;
            vec_push(&flaw, map_find(&v->known, defects.at[i].key, NOT_TOLD));
        }
    if (opinion == VISIT_GOOD)
        opinion = flaws_opinion(&v->flaws, flaw.at, flaw.n);
    v->bad_runs += bad && v->last_bad != number; /* one with a slack deadlock is told twice */
    v->last_bad = bad ? number : v->last_bad;
    note_end(v);
    vec_release(&defects);
    vec_release(&flaw);
    return opinion;
}

/* The first run, for tourney dump and predict. */
static void record(struct verification *v)
{
    const char *path = v->options.arguments.record;
    struct trace_head head = {.program = v->result.program,
                              .mpi = v->result.mpi,
                              .argc = (int)v->result.args.n,
                              .argv = v->result.args.at,
                              .ranks = v->result.ranks,
                              .buffering = "infinite"};
    if (!path || v->run.run->number > 1 || v->run.run->less_slack)
        return;
    if (run_record_write(path, &head, &v->run, v->symbols) < 0) {
        fprintf(stderr, "tourney: %s cannot be written: %s\n", path, strerror(errno));
        v->unsaved = true;
    }
}

/* On a real job, once it is known that there are windows. */
static void note_remarks(struct verification *v)
{
    if (!v->check.races.remarks && v->backend.dist && dist_has_remarks(v->backend.dist)) {
        v->remarks = dist_remarks(v->backend.dist);
        v->check.races.remarks = &v->remarks;
    }
}

/* Calls of threads have shown to compete, so the search begins anew (thread_lessons.h); what is wrong is told all the same, in case that time is over. */
static bool will_be_met_again(const struct verification *v, const struct run *run)
{
    return v->backend.drive && run->end == RUN_CLEAN && drive_has_new_lessons(v->backend.drive);
}

enum visit verification_visit(void *data, const struct run *run)
{
    enum { BETWEEN_SAVES = 5 }; /* seconds */
    struct verification *v = data;
    if (will_be_met_again(v, run))
        return VISIT_GOOD;
    v->run.run = run;
    v->run.account = NULL;
    verification_heed_given_up_runs(v);
    backend_tell_symbols(&v->backend, v->symbols);
    verification_save_tree(v);
    if (v->backend.dist && v->session.journal)
        journal_flush(v->session.journal); /* a job takes longer than that */
    for (rank_t r = 0; r < v->run.ranks && !v->is_mpi; r++)
        v->is_mpi = explore_history(v->run.explorer, run->node[r]).started;
    verification_note_mpi(v);
    v->refused = v->refused || run->end == RUN_REFUSED;
    v->diverged = v->diverged || run->end == RUN_DIVERGED;
    v->result.runs = v->result.distinct = v->before.runs + run->number;
    record(v);
    note_remarks(v);
    enum visit opinion = judge_visited_run(v);
    verification_look_at_complaints(v);
    show_progress(v);
    if (progress_seconds(&v->progress) > v->saved + BETWEEN_SAVES) {
        verification_note_complete(v);
        verification_save(v);
    }
    verification_note_look(v, run);
    bool foreseen = verification_look_ahead(v);
    bool goes_wrong = opinion != VISIT_GOOD && run->end != RUN_REFUSED;
    if (v->options.arguments.stop_first && (goes_wrong || foreseen || v->complaint_errors))
        return VISIT_STOP;
    return opinion;
}
