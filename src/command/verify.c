/*
 * verify -- every run of a program.
 *
 * What is found is in the result directory before it is told, so that nothing is
 * lost however tourney ends.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/mem.h"
#include "check/check.h"
#include "check/pair.h"
#include "check/races.h"
#include "check/reliance.h"
#include "command/command.h"
#include "command/each.h"
#include "command/backend.h"
#include "command/flaws.h"
#include "command/foresight.h"
#include "command/keep.h"
#include "command/progress.h"
#include "command/question.h"
#include "command/recorded.h"
#include "command/session.h"
#include "report/complained.h"
#include "report/found.h"
#include "report/site.h"
#include "report/summary.h"
#include "report/text.h"
#include "result/annotate.h"
#include "result/junit.h"
#include "result/sarif.h"
#include "world/program.h"

/* Where a finding was met. */
struct met {
    uint32_t step;     /* the end of its run, for explore_turning; 0: nowhere */
    uint64_t last_run; /* the last in which it was */
    bool foreseen;     /* and tried; the search itself has not come to it */
};

enum { NOT_TOLD = UINT32_MAX };

struct verification {
    struct session session;
    struct run_options options; /* of the session */
    struct result result;
    struct progress progress;
    double saved;            /* when the result was last written */
    bool unsaved;            /* it could not be, and that was said */
    struct map known;        /* keys of faults and defects -> index of the finding, or NOT_TOLD */
    struct check check;
    struct flaws flaws;      /* of the runs of this search, */
    struct relied relied;    /* and what those that go wrong rely on */
    VEC(struct met) met;     /* by finding */
    struct foresight foresight;
    uint32_t now;            /* the worst finding of the run that is being visited; NOT_TOLD: none */
    VEC(struct shown_end) ended; /* runs with findings, */
    shown_trees_t trees;     /* and what was decided on the way to all, by search */
    struct explored run;     /* the one that is being visited */
    struct symbols *symbols; /* owns */
    struct backend backend;
    uint64_t bad_runs, last_bad;
    const struct each_line *line; /* the arguments that are being searched with; NULL: just those of the command */
    struct {
        uint64_t runs, bad_runs, segments, merged;
        uint32_t left;
    } before; /* with the lines before */
    size_t complaints;       /* how many of the ranks' were looked at, */
    uint64_t complaint_errors; /* and how many findings with the severity of an error they gave */
    bool refused; /* a call that is not supported, or no MPI program: nothing can be said */
    bool diverged; /* a rank did not do the same twice: no run can be trusted */
    bool unseen;  /* a call was made of which nobody can say what it decided */
    bool is_mpi;  /* some rank has called MPI_Init */
    bool tried_deadlock; /* the run that was tried last came to one */
    bool is_over; /* the search */
    bool suppressed; /* something was found that is not to be told */
};

/* ---- the result directory ---- */

static void begin_result(struct verification *v)
{
    char *path = program_find(v->options.world.argv[0]);
    const char *mpi = program_mpi(path);
    v->result = (struct result){.program = xstrdup(v->options.world.argv[0]),
                                .binary = program_digest(path),
                                .cwd = getcwd(NULL, 0),
                                .hang_timeout = v->options.world.hang_timeout,
                                .ranks = v->options.world.ranks,
                                .mpi = xstrdup(mpi ? mpi : "unknown"),
                                .buffering = xstrdup(v->options.buffering),
                                .verdict = VERDICT_INCOMPLETE};
    for (char *const *arg = v->options.world.argv + 1; *arg; arg++)
        vec_push(&v->result.args, xstrdup(*arg));
    free(path);
}

static bool is_full(int error)
{
    return error == ENOSPC || error == EDQUOT || error == EFBIG;
}

/* While it goes on, a result says that it does not know all: that is what is there if tourney is killed. */
static int write_result(struct verification *v)
{
    if (v->is_over)
        return dir_write(&v->session.dir, &v->result);
    vec_push(&v->result.bounds, (char *)result_unfinished); /* only for a moment */
    int status = dir_write(&v->session.dir, &v->result);
    v->result.bounds.n--;
    return status;
}

static void save(struct verification *v)
{
    if (session_is_catching_up(&v->session))
        return; /* the old result says more */
    v->result.seconds = v->saved = progress_seconds(&v->progress);
    if (write_result(v) == 0) {
        v->unsaved = false;
    } else if (!v->unsaved) {
        v->unsaved = true;
        progress_clear(&v->progress);
        fprintf(stderr, "tourney: the result in %s is not complete: %s\n", v->session.dir.path, strerror(errno));
    }
}

/* To learn after hours that nothing can be kept would be too late; a full disk may be emptied in time. */
static void save_first(struct verification *v)
{
    if (write_result(v) < 0 && !is_full(errno))
        die("cannot write the result in %s: %s", v->session.dir.path, strerror(errno));
}

/* ---- one run ---- */

static size_t known_finding(const struct verification *v, const struct finding *finding)
{
    size_t i = 0;
    while (i < v->result.findings.n && !found_same(&v->result.findings.at[i], finding))
        i++;
    return i;
}

static void tell_finding(struct verification *v, const struct finding *finding)
{
    if (!policy_shows(&v->options.judging.policy, finding))
        return;
    progress_clear(&v->progress);
    struct terminal terminal = terminal_of(stdout, v->options.colour);
    terminal_show(&terminal, tone_of(finding->severity), finding->text);
    fflush(stdout);
}

/* It was foreseen, and is no run of the search. */
static bool is_tried(const struct run *run)
{
    return run && !run->step;
}

/* One finding stands for the run in the tree of decisions. */
static void note_now(struct verification *v, uint32_t at)
{
    if (is_tried(v->run.run))
        return;
    const struct finding *findings = v->result.findings.at;
    if (v->now == NOT_TOLD || (finding_is_error(&findings[at]) && !finding_is_error(&findings[v->now])))
        v->now = at;
}

/* A finding that is known was met once more, in the run that is being visited; whether it is an error. */
static bool meet_again(struct verification *v, uint32_t at)
{
    if (at == NOT_TOLD)
        return false;
    note_now(v, at);
    struct finding *finding = &v->result.findings.at[at];
    if (is_tried(v->run.run))
        return finding_is_error(finding);
    uint64_t run = v->run.run ? v->run.run->number : 0;
    if (run && (v->met.at[at].last_run != run || v->run.run->cut))
        finding->runs++;
    v->met.at[at].last_run = run;
    return finding_is_error(finding);
}

/* Says with which arguments it was found. */
static void name_line(struct finding *finding, const struct each_line *line)
{
    char *text = xformat("%s  with the arguments: %s\n", finding->text, line->text);
    free(finding->text);
    finding->text = text;
    for (char **word = line->argv + 1; *word; word++)
        vec_push(&finding->args, xstrdup(*word));
}

/* Takes a new finding, met in a run that ended at `step`; false: it is not to be told. */
static bool keep(struct verification *v, struct finding finding, uint32_t step)
{
    if (!policy_apply(&v->options.judging.policy, &finding)) {
        finding_release(&finding);
        v->suppressed = true;
        return false;
    }
    bool foreseen = is_tried(v->run.run);
    finding.id = (uint32_t)v->result.findings.n + 1;
    if (v->line)
        name_line(&finding, v->line);
    if (foreseen)
        finding.run = finding.runs = 0;
    vec_push(&v->result.findings, finding);
    vec_push(&v->met, (struct met){step, v->run.run ? v->run.run->number : 0, foreseen});
    if (finding_is_error(&finding) && !v->refused)
        v->result.verdict = VERDICT_DEFECTS;
    if (v->session.journal)
        journal_flush(v->session.journal);
    keep_run(&v->session.dir, &v->run, v->symbols, finding.id);
    save(v);
    tell_finding(v, &finding);
    return true;
}

/*
 * Was it foreseen, and is now met by the search itself?  Then it is known from now on as if it
 * had not been foreseen.  Else the finding is dropped, and the known one was met once more.
 */
static bool meet_with(struct verification *v, uint32_t at, struct finding finding)
{
    if (at == NOT_TOLD || !v->met.at[at].foreseen || is_tried(v->run.run) ||
        !policy_apply(&v->options.judging.policy, &finding)) {
        finding_release(&finding);
        return meet_again(v, at);
    }
    struct finding *known = &v->result.findings.at[at];
    finding.id = known->id;
    if (v->line)
        name_line(&finding, v->line);
    finding_release(known);
    *known = finding;
    v->met.at[at] = (struct met){v->run.run->cut ? 0 : v->run.run->step, v->run.run->number, false};
    keep_run_anew(&v->session.dir, &v->run, v->symbols, finding.id);
    note_now(v, at);
    return finding_is_error(known);
}

/* The same of one that may be known by its places; whether it is an error. */
static bool keep_as(struct verification *v, struct map_key key, struct finding finding)
{
    const struct run *run = v->run.run;
    size_t at = known_finding(v, &finding);
    if (at < v->result.findings.n) {
        map_put(&v->known, key, (uint32_t)at);
        return meet_with(v, (uint32_t)at, finding);
    }
    bool told = keep(v, finding, run && !run->cut ? run->step : 0);
    map_put(&v->known, key, told ? (uint32_t)at : NOT_TOLD);
    if (told)
        note_now(v, (uint32_t)at);
    return told && finding_is_error(&v->result.findings.at[at]);
}

static bool look_at_fault(struct verification *v, const struct fault *fault)
{
    uint32_t known;
    if (!map_get(&v->known, fault->key, &known))
        return keep_as(v, fault->key, found_make(&v->run, v->symbols, fault));
    if (known != NOT_TOLD && v->met.at[known].foreseen && !is_tried(v->run.run))
        return meet_with(v, known, found_make(&v->run, v->symbols, fault));
    return meet_again(v, known);
}

static bool look_at_defect(struct verification *v, const struct defect *defect)
{
    uint32_t known;
    if (map_get(&v->known, defect->key, &known))
        return meet_again(v, known);
    return keep_as(v, defect->key, found_defect(&v->run, v->symbols, defect));
}

/* Complaints are met once, in the run whose segments they are in; later ones of the same place only add ranks. */
static void add_ranks(struct finding *known, const struct finding *more)
{
    for (size_t i = 0; i < more->ranks.n; i++) {
        size_t k = 0;
        while (k < known->ranks.n && known->ranks.at[k] != more->ranks.at[i])
            k++;
        if (k == known->ranks.n)
            vec_push(&known->ranks, more->ranks.at[i]);
    }
}

static void look_at_complaint(struct verification *v, const struct complained *complained)
{
    struct finding finding = complained_finding(complained, &v->options.judging.policy, v->symbols);
    size_t at = known_finding(v, &finding);
    if (at < v->result.findings.n) {
        add_ranks(&v->result.findings.at[at], &finding);
        finding_release(&finding);
        return;
    }
    found_add_run(&v->run, v->symbols, complained->ranks.at[0], complained->op, &finding);
    v->complaint_errors += keep(v, finding, 0) && finding_is_error(&vec_last(&v->result.findings));
}

static void look_at_complaints(struct verification *v)
{
    complained_t news = {0};
    for (; v->complaints < explore_complaints(v->run.explorer); v->complaints++) {
        rank_t r;
        const struct op *op = explore_complaint(v->run.explorer, v->complaints, &r);
        complained_add(&news, r, op);
    }
    for (size_t i = 0; i < news.n; i++)
        look_at_complaint(v, &news.at[i]);
    complained_release(&news);
}

static void show_progress(struct verification *v)
{
    double covered = explore_progress(v->run.explorer);
    struct standing standing = {.runs = v->result.runs,
                                .estimate = covered > 0 ? (double)(v->result.runs - v->before.runs) / covered : 0,
                                .findings = v->result.findings.n};
    progress_show(&v->progress, &standing);
}

/* Of runs that go wrong in great number some are enough to look at. */
static void note_end(struct verification *v)
{
    enum { MOST = 100000 };
    const struct run *run = v->run.run;
    if (v->now != NOT_TOLD && v->ended.n < MOST)
        vec_push(&v->ended, (struct shown_end){run->step, v->now + 1, run->cut != NULL});
}

static enum visit judge(struct verification *v)
{
    uint64_t number = v->run.run->number;
    bool bad = false;
    VEC(uint32_t) flaw = {0};
    faults_t faults = {0};
    defects_t defects = {0};
    v->now = NOT_TOLD;
    faults_add(&v->run, &faults);
    for (size_t i = 0; i < faults.n; i++)
        bad |= look_at_fault(v, &faults.at[i]);
    check_run(&v->check, v->run.explorer, v->run.run, v->run.ranks, &defects);
    enum visit opinion = bad ? VISIT_BAD : VISIT_GOOD;
    if (bad && !v->run.run->cut)
        relied_see(&v->relied, v->run.explorer, v->run.run);
    v->run.account = NULL; /* it may have been made anew */
    for (size_t i = 0; i < defects.n; i++)
        if (look_at_defect(v, &defects.at[i])) {
            bad = true;
            vec_push(&flaw, map_find(&v->known, defects.at[i].key, NOT_TOLD));
        }
    if (opinion == VISIT_GOOD)
        opinion = flaws_opinion(&v->flaws, flaw.at, flaw.n);
    v->bad_runs += bad && v->last_bad != number; /* one with a cut is told twice */
    v->last_bad = bad ? number : v->last_bad;
    note_end(v);
    vec_release(&faults);
    vec_release(&defects);
    vec_release(&flaw);
    return opinion;
}

/* ---- what is foreseen ---- */

static bool is_deadlock(const struct run *run)
{
    return run->end == RUN_DEADLOCK || run->end == RUN_LIVELOCK;
}

/* The foreseen run came to an end; whichever it is, the program can end like that. */
static enum visit visit_tried(void *data, const struct run *run)
{
    struct verification *v = data;
    faults_t faults = {0};
    v->run.run = run;
    v->run.account = NULL;
    if (run->cut && !is_deadlock(run))
        return VISIT_GOOD; /* with more slack, that is an end like any other */
    v->refused = v->refused || run->end == RUN_REFUSED;
    v->diverged = v->diverged || run->end == RUN_DIVERGED;
    faults_add(&v->run, &faults);
    for (size_t i = 0; i < faults.n; i++)
        look_at_fault(v, &faults.at[i]);
    v->tried_deadlock = is_deadlock(run);
    vec_release(&faults);
    return VISIT_GOOD;
}

static void try(struct verification *v, struct tried_run run)
{
    int status = explore_try(v->run.explorer, &run, visit_tried, v);
    (void)status; /* what counts is what was visited */
}

static char *describe_op(struct verification *v, rank_t r, const struct op *op, uint32_t number)
{
    struct scene scene = explored_scene(&v->run);
    struct site site = site_of_op(&scene, v->symbols, r, op, number);
    char *text = xformat("%s at %s", site.text, site.place);
    site_release(&site);
    return text;
}

/* Why what was foreseen did not come about, in words to be freed. */
static char *explain_miss(struct verification *v)
{
    struct departure left;
    v->run.run = NULL;
    v->run.account = explore_replayed(v->run.explorer);
    if (!v->run.account->trail || !execution_was_left(&v->foresight.execution, v->run.explorer, v->run.account, &left))
        return xformat("a deadlock is predicted, but could not be made to come about");
    char *is = describe_op(v, left.name.rank, left.is, left.name.op);
    char *was = left.was ? describe_op(v, left.name.rank, left.was, left.name.op) : xformat("not there");
    char *text = xformat("a deadlock is predicted for this control flow, but the program is multi-path: operation %"
                         PRIu32 " of rank %d was %s, and is %s in the run that was to show it",
                         left.name.op, left.name.rank, was, is);
    free(is);
    free(was);
    return text;
}

/*
 * Asks about the run that waits and, if a deadlock is foreseen that is not known yet, tries it.
 * If it needs less slack, what the same decisions come to with all of it is seen first: a deadlock
 * there is the cause of both, and the search tells of that one.
 */
static void foresee(struct verification *v)
{
    struct foresight *f = &v->foresight;
    const struct run *run = v->run.run;
    uint32_t known;
    foresight_ask(f);
    if (f->prediction.verdict != PREDICTED_DEADLOCK || !f->prediction.run.n)
        return;
    f->came_about = map_get(&v->known, foresight_key(f), &known);
    if (f->came_about)
        return;
    struct witness witness = witness_of(&f->program, &f->prediction);
    v->tried_deadlock = false;
    if (witness_is_held(&witness))
        try(v, witness_run_loose(&witness));
    if (!v->tried_deadlock)
        try(v, witness_run(&witness));
    f->came_about = v->tried_deadlock;
    if (!f->came_about)
        f->why_not = explain_miss(v);
    witness_release(&witness);
    v->run.run = run; /* what it says of ranks is gone */
    v->run.account = NULL;
}

/* After the visit of a run, of which nothing is needed any more; whether a deadlock came about that was foreseen. */
static bool look_ahead(struct verification *v)
{
    struct foresight *f = &v->foresight;
    const struct run *run = v->run.run;
    size_t findings = v->result.findings.n;
    if (v->options.engine == ENGINE_EXPLORE || run->cut)
        return false;
    if (f->waits && v->options.engine == ENGINE_AUTO)
        foresee(v);
    else if (run->end == RUN_CLEAN)
        foresight_look(f, &v->run);
    return v->result.findings.n > findings && finding_is_error(&vec_last(&v->result.findings));
}

/* The first run, for tourney dump and predict. */
static void record(struct verification *v)
{
    const char *path = v->options.record;
    struct trace_head head = {.program = v->result.program,
                              .mpi = v->result.mpi,
                              .argc = (int)v->result.args.n,
                              .argv = v->result.args.at,
                              .ranks = v->result.ranks,
                              .buffering = "infinite"};
    if (!path || v->run.run->number > 1 || v->run.run->cut)
        return;
    if (recorded_write(path, &head, &v->run, v->symbols) < 0) {
        fprintf(stderr, "tourney: %s cannot be written: %s\n", path, strerror(errno));
        v->unsaved = true;
    }
}

static enum visit visit(void *data, const struct run *run)
{
    enum { BETWEEN_SAVES = 5 }; /* seconds */
    struct verification *v = data;
    v->run.run = run;
    v->run.account = NULL;
    backend_tell_symbols(&v->backend, v->symbols);
    if (v->backend.dist && v->session.journal)
        journal_flush(v->session.journal); /* a job takes longer than that */
    for (rank_t r = 0; r < v->run.ranks && !v->is_mpi; r++)
        v->is_mpi = explore_history(v->run.explorer, run->node[r]).started;
    v->refused = v->refused || run->end == RUN_REFUSED;
    v->diverged = v->diverged || run->end == RUN_DIVERGED;
    v->result.runs = v->result.distinct = v->before.runs + run->number;
    record(v);
    enum visit opinion = judge(v);
    look_at_complaints(v);
    show_progress(v);
    if (progress_seconds(&v->progress) > v->saved + BETWEEN_SAVES)
        save(v);
    bool foreseen = look_ahead(v);
    if (v->options.stop_first && (opinion != VISIT_GOOD || foreseen || v->complaint_errors))
        return VISIT_STOP;
    return opinion;
}

/* ---- the end ---- */

/* Whatever was cut short is said. */
static void add_bounds(struct verification *v, const struct explore_result *explored)
{
    char text[128];
    if (v->options.engine == ENGINE_PREDICT && explored->left & LEFT_RUNS) {
        char *statement = foresight_statement(&v->foresight);
        result_add_bound(&v->result, statement);
        free(statement);
    } else if (explored->left & LEFT_RUNS) {
        snprintf(text, sizeof text, "max-runs %" PRIu64 " reached", v->options.max_runs);
        result_add_bound(&v->result, text);
    }
    bool late = v->options.seconds > 0 && progress_seconds(&v->progress) >= v->options.seconds;
    if (explored->left & LEFT_TIME || (explored->left & LEFT_RUNNER && late)) {
        snprintf(text, sizeof text, "time %.0f s over", v->options.seconds);
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
    if (explored->left & LEFT_MIXING)
        result_add_bound(&v->result, "alternatives were not all combined with each other");
    if (explored->left & LEFT_REGIONS)
        result_add_bound(&v->result, "one choice only was tried where MPI_Pcontrol(0) asks for it");
    if (explored->left & LEFT_UNKNOWN)
        result_add_bound(&v->result, "not every run could be led to its end");
    if (explored->left & LEFT_SAMPLED)
        result_add_bound(&v->result, "runs were taken at random");
    if (v->diverged)
        result_add_bound(&v->result, "a rank does not do the same twice");
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
    while ((dispute = check_next_open(&v->check, v->run.explorer))) {
        struct defect defect = pair_defect(v->run.explorer, dispute, false);
        v->run.run = NULL;
        v->run.account = explore_dispute_account(v->run.explorer, dispute);
        look_at_defect(v, &defect);
    }
}

static bool has_ops(struct verification *v, const struct defect *defect)
{
    for (uint32_t i = 0; i < defect->ops; i++)
        if (explored_number(&v->run, defect->op[i].rank, defect->op[i].op) < 0)
            return false;
    return true;
}

/* A run in which it can be seen: one of the first that have its operations, or just the first. */
static void find_run_with(struct verification *v, const struct defect *defect)
{
    enum { TRIES = 64 };
    struct explorer *explorer = v->run.explorer;
    for (size_t i = 0; i < TRIES && (v->run.account = explore_good_account(explorer, i)); i++)
        if (has_ops(v, defect))
            return;
    v->run.account = explore_good_account(explorer, 0);
    if (!v->run.account)
        v->run.account = explore_first_account(explorer);
}

/* In a program that can go wrong, the wildcard is behind what was found. */
static void look_at_races(struct verification *v, const struct explore_result *explored)
{
    bool benign = policy_severity(&v->options.judging.policy, "message-race", "off") != SEVERITY_OFF;
    defects_t defects = {0};
    if (explored->left || v->refused || v->diverged || v->bad_runs > v->before.bad_runs)
        return;
    races_add(v->run.explorer, benign, &defects);
    v->run.run = NULL;
    for (size_t i = 0; i < defects.n; i++) {
        find_run_with(v, &defects.at[i]);
        look_at_defect(v, &defects.at[i]);
    }
    vec_release(&defects);
}

/* Only the whole search shows that nothing goes wrong otherwise. */
static void look_at_reliance(struct verification *v, const struct explore_result *explored)
{
    defects_t defects = {0};
    if (!explored->left && !v->refused && !v->diverged)
        relied_add(&v->relied, &defects);
    v->run.run = NULL;
    v->run.account = defects.n ? explore_first_account(v->run.explorer) : NULL;
    for (size_t i = 0; i < defects.n; i++)
        look_at_defect(v, &defects.at[i]);
    vec_release(&defects);
}

/* What one run leaves open and prediction settles, if control flow is the same in all runs. */
static uint32_t settled(const struct verification *v)
{
    return v->options.single_path && foresight_excludes_deadlock(&v->foresight) ? LEFT_RUNS | LEFT_SLACK : 0;
}

/* The decisions of the whole search, for the page. */
static void keep_tree(struct verification *v)
{
    v->run.run = NULL;
    v->run.account = explore_first_account(v->run.explorer);
    vec_push(&v->trees, shown_tree_make(&v->run, v->symbols, v->ended.at, v->ended.n));
    for (char **word = v->line ? v->line->argv + 1 : NULL; word && *word; word++)
        vec_push(&vec_last(&v->trees).args, xstrdup(*word));
    int status = dir_write_trees(&v->session.dir, &v->trees);
    (void)status; /* the result, which matters more, complains */
}

static enum verdict verdict_of(const struct verification *v, uint32_t left)
{
    if (v->refused)
        return VERDICT_INCOMPLETE;
    if (result_has_errors(&v->result))
        return VERDICT_DEFECTS;
    return left || v->diverged || v->unseen ? VERDICT_INCOMPLETE : VERDICT_CLEAN;
}

static void complete_result(struct verification *v, const struct explore_result *explored)
{
    struct result *result = &v->result;
    result->runs = result->distinct = v->before.runs + explored->runs;
    result->segments = v->before.segments + explored->segments;
    result->merged = v->before.merged + spared(explored);
    add_bounds(v, explored);
    for (size_t i = 0; i < result->findings.n; i++)
        if (v->met.at[i].step && finding_is_error(&result->findings.at[i])) {
            flaws_aim(&v->flaws, v->run.explorer, (uint32_t)i);
            found_complete(&v->run, v->symbols, v->met.at[i].step, &result->findings.at[i]);
            keep_clean_run(&v->session.dir, &v->run, v->symbols, v->met.at[i].step, result->findings.at[i].id);
        }
    look_at_open(v);
    look_at_races(v, explored);
    look_at_reliance(v, explored);
    if (explored->states)
        keep_tree(v);
    result->verdict = verdict_of(v, v->before.left | (explored->left & ~settled(v)));
}

/* One line that claims what was done, and no more. */
static void put_coverage(FILE *out, const struct verification *v, const struct explore_result *explored)
{
    uint64_t bad_runs = v->bad_runs - v->before.bad_runs;
    if (v->line)
        fprintf(out, "tourney: with the arguments: %s\n", v->line->text);
    fprintf(out, "tourney: %s buffering: %" PRIu64 " run%s", v->options.buffering, explored->runs,
           explored->runs == 1 ? "" : "s");
    if (explored->runs && explored->stood_for > (double)explored->runs)
        fprintf(out, ", which stand%s for %s%.*g", explored->runs == 1 ? "s" : "", explored->at_most ? "up to " : "",
               explored->stood_for < 1e15 ? 15 : 3, explored->stood_for); /* counted as long as that is exact */
    if (explored->estimate > 0)
        fprintf(out, " of about %.3g", explored->estimate);
    if (bad_runs && explored->runs == 1)
        fputs(", and it is bad", out);
    else if (bad_runs)
        fprintf(out, ", %" PRIu64 " of them bad", bad_runs);
    else if (v->complaint_errors)
        fputs(explored->runs == 1 ? ", it ended, but has errors" : ", all ended, but there are errors", out);
    else
        fputs(explored->left && v->options.engine != ENGINE_PREDICT ? ", no error so far"
              : explored->runs == 1 ? ", it ended well"
                                    : ", all ended well",
              out);
    if (drive_signal())
        fprintf(out, "; stopped by signal %d (%s)", drive_signal(), strsignal(drive_signal()));
    else if (explored->left & LEFT_STOPS && v->options.engine != ENGINE_PREDICT)
        fputs("; stopped early, there are more", out);
    else
        for (size_t i = 0; i < v->result.bounds.n; i++)
            fprintf(out, "; %s", v->result.bounds.at[i]);
    if (explored->spins)
        fprintf(out, "; %u polling loop%s taken to go on until told yes", explored->spins, explored->spins == 1 ? "" : "s");
}

static void tell_coverage(const struct verification *v, const struct explore_result *explored)
{
    struct terminal terminal = terminal_of(stdout, v->options.colour);
    struct text text;
    text_open(&text);
    put_coverage(text.out, v, explored);
    char *lines = text_close(&text);
    terminal_show(&terminal, TONE_PLAIN, lines);
    free(lines);
}

/* Where the search was stopped it can be gone on with. */
static bool can_go_on(const struct verification *v)
{
    return v->session.journal && v->before.left & (LEFT_RUNS | LEFT_TIME | LEFT_RUNNER);
}

static void tell_findings(const struct verification *v)
{
    const struct policy *policy = &v->options.judging.policy;
    struct terminal terminal = terminal_of(stdout, v->options.colour);
    size_t n = v->result.findings.n, shown = 0;
    for (size_t i = 0; i < n; i++)
        shown += policy_shows(policy, &v->result.findings.at[i]);
    if (shown)
        printf("tourney: %zu finding%s, kept in %s\n", shown, shown == 1 ? "" : "s", v->session.dir.path);
    for (size_t i = 0; i < n; i++)
        if (policy_shows(policy, &v->result.findings.at[i]))
            summary_of_finding(&terminal, &v->result, &v->result.findings.at[i], v->session.dir.path);
    summary_of_coverage(&terminal, &v->result,
                        &(struct coverage){v->session.dir.path, can_go_on(v), v->suppressed});
}

/* ---- for other tools ---- */

static void write_file(struct verification *v, const char *path, char *text)
{
    FILE *file = fopen(path, "we");
    bool failed = !file || fputs(text, file) < 0;
    if (file && fclose(file) != 0)
        failed = true;
    if (failed) {
        fprintf(stderr, "tourney: %s cannot be written: %s\n", path, strerror(errno));
        v->unsaved = true;
    }
    free(text);
}

static void tell_tools(struct verification *v)
{
    if (v->options.sarif)
        write_file(v, v->options.sarif, sarif_print(&v->result));
    if (v->options.junit)
        write_file(v, v->options.junit, junit_print(&v->result));
    char *lines = v->options.ci ? annotate_print(&v->result) : NULL;
    fputs(lines ? lines : "", stdout);
    free(lines);
}

/* Ready to be put into a file for --suppressions. */
static void tell_suppressions(const struct verification *v)
{
    for (size_t i = 0; i < v->result.findings.n && v->options.judging.gen_suppressions; i++) {
        const struct finding *finding = &v->result.findings.at[i];
        if (!policy_shows(&v->options.judging.policy, finding))
            continue;
        char *rule = policy_rule_for(finding);
        printf("# %s\n%s\n", finding->message, rule);
        free(rule);
    }
}

static const int verdict_codes[] = {[VERDICT_CLEAN] = 0, [VERDICT_DEFECTS] = 1, [VERDICT_INCOMPLETE] = 2};

static int exit_code(const struct verification *v)
{
    if (drive_signal())
        return 128 + drive_signal();
    int code = v->refused ? EXIT_TOURNEY : verdict_codes[v->result.verdict];
    if (v->result.verdict == VERDICT_DEFECTS && v->options.judging.error_exitcode)
        code = v->options.judging.error_exitcode;
    return code == 0 && v->unsaved ? EXIT_TOURNEY : code;
}

static void release(struct verification *v)
{
    result_release(&v->result);
    map_release(&v->known);
    vec_release(&v->met);
    vec_release(&v->ended);
    shown_trees_release(&v->trees);
    check_release(&v->check);
    flaws_release(&v->flaws);
    relied_release(&v->relied);
    policy_release(&v->options.judging.policy);
    session_end(&v->session);
}

static struct explore_options search_options(const struct run_options *options)
{
    return (struct explore_options){.ranks = options->world.ranks,
                                    .slack = options->world.slack,
                                    .any_slack = options->any_slack,
                                    .merge = !options->no_merge,
                                    .mixing = (uint32_t)(options->mix_bound + 1),
                                    .samples = options->samples,
                                    .seed = options->seed,
                                    .jobs = options->jobs,
                                    .max_runs = options->engine == ENGINE_PREDICT ? 1 : options->max_runs,
                                    .seconds = options->seconds};
}

/* All runs of the program with the arguments that are set. */
static void search(struct verification *v)
{
    v->backend = backend_open(&v->options, v->session.dir.path);
    struct runner runner = backend_runner(&v->backend);
    struct explore_options options = search_options(&v->options);
    if (v->session.journal)
        runner = journal_runner(v->session.journal, &runner, v->options.world.ranks);
    v->run = (struct explored){.explorer = explore_new(&runner, &options),
                               .drive = v->backend.drive,
                               .process = backend_process(&v->backend),
                               .ranks = v->options.world.ranks};
    v->symbols = symbols_new();
    foresight_init(&v->foresight, &v->options);
    progress_begin(&v->progress, v->options.quiet);
    struct explore_result explored = explore_run(v->run.explorer, visit, v);
    v->run.run = NULL;
    look_at_complaints(v); /* of segments from which no run came to its end */
    progress_clear(&v->progress);
    if (v->session.journal && journal_count(v->session.journal).strange)
        die("%s: the program, or tourney, is not what it was: it cannot be gone on with", v->session.dir.path);
    if (!v->is_mpi && explored.runs && is_no_mpi_program(v->options.world.argv[0]))
        v->refused = true;
    if (v->foresight.waits && !(explored.left & (LEFT_STOPS & ~LEFT_RUNS)) &&
        (explored.left & LEFT_RUNS || v->options.engine == ENGINE_PREDICT))
        foresee(v); /* the search did not come to the next run */
    complete_result(v, &explored);
    v->is_over = !v->line;
    save(v);
    if (!(explored.left & ~settled(v)))
        dir_drop_journal(&v->session.dir);
    tell_coverage(v, &explored);
    backend_tell_cost(&v->backend);
    if (v->options.engine == ENGINE_PREDICT && v->foresight.answered)
        question_tell_size(&v->foresight.program, &v->foresight.prediction);
    fflush(stdout);
    v->before.left |= explored.left & ~settled(v);
    foresight_release(&v->foresight);
    explore_free(v->run.explorer);
    backend_close(&v->backend);
    symbols_free(v->symbols);
    v->symbols = NULL;
}

static int finish(struct verification *v)
{
    tell_findings(v);
    tell_suppressions(v);
    tell_tools(v);
    fflush(stdout);
    int code = exit_code(v);
    release(v);
    return code;
}

static int verify(struct verification *v)
{
    search(v);
    return finish(v);
}

/* What the next line of arguments begins with: the findings so far, which were met in other searches. */
static void begin_line(struct verification *v, const struct each_line *line)
{
    v->line = line;
    v->options.world.argv = line->argv;
    v->before.runs = v->result.runs;
    v->before.bad_runs = v->bad_runs;
    v->before.segments = v->result.segments;
    v->before.merged = v->result.merged;
    v->last_bad = 0;
    v->complaints = 0;
    v->complaint_errors = 0;
    check_release(&v->check);
    flaws_release(&v->flaws);
    relied_release(&v->relied);
    v->check = (struct check){0};
    for (size_t i = 0; i < v->met.n; i++)
        v->met.at[i] = (struct met){0};
    vec_clear(&v->ended);
}

static int verify_each(struct verification *v)
{
    each_lines_t lines = each_read(v->options.judging.each_args, v->options.world.argv);
    bool stop = false;
    begin_result(v);
    save_first(v);
    for (size_t i = 0; i < lines.n && !stop; i++) {
        begin_line(v, &lines.at[i]);
        search(v);
        stop = drive_signal() || v->refused || (v->options.stop_first && result_has_errors(&v->result));
    }
    v->is_over = true;
    save(v);
    int code = finish(v);
    each_release(&lines);
    return code;
}

int command_verify(int argc, char **argv)
{
    struct verification v = {.session = session_begin(argc, argv)};
    v.options = v.session.options;
    if (v.options.judging.each_args)
        return verify_each(&v);
    begin_result(&v);
    save_first(&v);
    session_open_journal(&v.session, argc, argv);
    return verify(&v);
}

/* There is no more to search. */
static int tell_complete(const struct session *session)
{
    const char *dir = session->dir.path;
    struct result result = dir_read(dir);
    struct terminal terminal = terminal_of(stdout, session->options.colour);
    printf("tourney: the search in %s is complete: %zu finding%s\n", dir, result.findings.n,
           result.findings.n == 1 ? "" : "s");
    for (size_t i = 0; i < result.findings.n; i++)
        summary_of_finding(&terminal, &result, &result.findings.at[i], dir);
    summary_of_coverage(&terminal, &result, &(struct coverage){.dir = dir});
    int code = verdict_codes[result.verdict];
    result_release(&result);
    return code;
}

int command_resume(int argc, char **argv)
{
    struct verification v = {.session = session_resume(argc, argv)};
    if (!v.session.journal)
        return tell_complete(&v.session);
    v.options = v.session.options;
    begin_result(&v);
    return verify(&v);
}
