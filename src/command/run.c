/*
 * run -- a program once, as under mpiexec.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/die.h"
#include "command/command.h"
#include "diagnosis/complaint_groups.h"
#include "diagnosis/evidence.h"
#include "diagnosis/play_absentees.h"
#include "diagnosis/play_races.h"
#include "options/options.h"
#include "play/final_state.h"
#include "play/play.h"
#include "report/terminal.h"
#include "symbols/site.h"
#include "trace/trace.h"
#include "verification/run_record.h"
#include "words/text.h"
#include "world/program.h"

struct locator {
    struct played played;
    struct symbols *symbols;
};

/* A rank may have ended before all that it did was read. */
static void locate_call(void *arg, rank_t r, uint64_t address, struct trace_place *place)
{
    struct locator *locator = arg;
    struct final_state final = play_final_state(&locator->played);
    site_find(&final, locator->symbols, r, address, place);
    place->rank = r;
}

/* A slip of the pen must not cost a program or its input. */
static void spare_other_files(const char *path)
{
    struct stat file;
    const char *error;
    if (stat(path, &file) < 0 || !S_ISREG(file.st_mode) || file.st_size == 0)
        return;
    struct trace_reader *reader = trace_open(path, &error);
    if (!reader)
        die("%s exists and is not an execution record; choose another name", path);
    trace_reader_close(reader);
}

static struct trace_writer *start_record(const struct run_options *run)
{
    if (!run->arguments.record)
        return NULL;
    char *path = program_find(run->world.argv[0]);
    const char *mpi = program_mpi(path);
    int argc = 0;
    while (run->world.argv[argc + 1])
        argc++;
    struct trace_head head = {.program = run->world.argv[0],
                              .mpi = mpi ? mpi : "unknown",
                              .argc = argc,
                              .argv = run->world.argv + 1,
                              .ranks = run->world.ranks - run->world.spawnable,
                              .buffering = run->buffering};
    spare_other_files(run->arguments.record);
    struct trace_writer *trace = trace_create(run->arguments.record, &head);
    if (!trace)
        die("cannot write the record %s: %s", run->arguments.record, strerror(errno));
    free(path);
    return trace;
}

/* Returns the exit code: a record that is not complete is a failure, unless there is a worse one. */
static int end_record(struct trace_writer *trace, const struct run_options *run, const struct outcome *outcome,
                      int code)
{
    if (!trace)
        return code;
    trace_end(trace,
              &(struct trace_end){.kind = run_record_end(outcome->kind), .code = code, .message = outcome->text});
    if (trace_close(trace) == 0)
        return code;
    fprintf(stderr, "tourney: the record %s is not complete: %s\n", run->arguments.record, strerror(errno));
    return code ? code : EXIT_TOURNEY;
}

static int code_of(const struct outcome *outcome)
{
    switch (outcome->kind) {
    case RUN_CLEAN:
    case RUN_ABORT:
        return outcome->code & 255;
    case RUN_CRASH:
    case RUN_STOPPED:
        return 128 + outcome->code;
    case RUN_REFUSED:
        return EXIT_TOURNEY;
    case RUN_DEADLOCK:
    case RUN_LIVELOCK:
    case RUN_HUNG:
    case RUN_ERROR:
    case RUN_MISMATCH:
        return 1;
    case RUN_DIVERGED:
    case RUN_UNKNOWN:
        break;
    }
    BUG("outcome %d", outcome->kind);
}

/* What a program that ended by itself did wrong all the same. */
static int judge_ended(const struct world *world, const struct run_options *run, int code)
{
    bool attached = false;
    for (rank_t r = 0; r < run->world.ranks; r++) {
        const struct rank *rank = world_rank(world, r);
        attached = attached || rank->attached;
        if (rank->attached && !rank->finalized) {
            fprintf(stderr, "tourney: rank %d ended without MPI_Finalize\n", r);
            code = code ? code : 1;
        }
    }
    if (!attached && program_lacks_mpi(run->world.argv[0]))
        code = code ? code : EXIT_TOURNEY;
    return code;
}

/* The exit code, given that of the run. */
static int tell_complaints(const struct play *play, const struct policy *policy, struct symbols *symbols,
                           const struct terminal *terminal, int code)
{
    complaint_groups_t all = {0};
    for (size_t i = 0; i < play_complaints(play); i++) {
        rank_t r;
        const struct op *op = play_complaint(play, i, &r);
        complaint_groups_add(&all, r, op);
    }
    for (size_t i = 0; i < all.n; i++) {
        struct finding finding = complaint_group_finding(&all.at[i], policy, symbols);
        bool told = policy_apply(policy, &finding);
        if (told)
            terminal_show(terminal, tone_of(finding.severity), finding.text);
        if (told && code == 0 && finding_is_error(&finding))
            code = 1;
        finding_release(&finding);
    }
    complaint_groups_release(&all);
    return code;
}

/* The exit code, given that of the run. */
static int tell_findings(findings_t *all, const struct policy *policy, const struct terminal *terminal, int code)
{
    for (size_t i = 0; i < all->n; i++) {
        struct finding *finding = &all->at[i];
        bool told = policy_apply(policy, finding);
        if (told)
            terminal_show(terminal, tone_of(finding->severity), finding->text);
        if (told && code == 0 && finding_is_error(finding))
            code = 1;
        finding_release(finding);
    }
    vec_release(all);
    return code;
}

/* A run that was not compared as a whole is not one without races. */
static void tell_gaps(const struct play_races *races, const struct terminal *terminal)
{
    char *text = NULL;
    if (races->unfollowed)
        text = xstrdup("tourney: accesses to windows and files were not all compared: this run could not be followed\n");
    else if (races->stopped)
        text = xformat("tourney: accesses to windows and files were compared up to %s; after that there was too much to remember\n",
                       races->stopped);
    else if (races->unseen)
        text = xformat("tourney: loads and stores in windows were not all compared: from %s to the next call there were too many\n",
                       races->unseen);
    if (text)
        terminal_show(terminal, TONE_PLAIN, text);
    free(text);
}

static void show_run_outcome(const struct terminal *terminal, const struct final_state *final,
                             const struct outcome *outcome, struct symbols *symbols)
{
    struct text text;
    text_open(&text);
    evidence_put(text.out, final, outcome, symbols);
    char *lines = text_close(&text);
    terminal_show(terminal, outcome->kind == RUN_STOPPED ? TONE_PLAIN : TONE_BAD, lines);
    free(lines);
}

int command_run(int argc, char **argv)
{
    struct run_options run = options_for_run(argc, argv);
    struct trace_writer *trace = start_record(&run);
    struct world *world = world_start(&run.world);
    struct locator locator = {.symbols = symbols_new()};
    struct play *play = play_new(world, run.world.slack, trace, locate_call, &locator);
    locator.played = (struct played){play, world};
    struct final_state final = play_final_state(&locator.played);
    struct play_races races = {.final = &final, .symbols = locator.symbols};
    play_set_reader(play, (struct chapter_reader){play_races_read, play_races_stopped, play_races_unseen, &races});
    struct outcome outcome = play_run(play);
    struct terminal terminal = options_terminal(stderr, &run.arguments);
    findings_t absentees = {0};
    show_run_outcome(&terminal, &final, &outcome, locator.symbols);
    if (outcome.kind == RUN_CLEAN)
        play_absentees_add(&final, locator.symbols, &absentees);
    world_end(world);
    int code = code_of(&outcome);
    if (outcome.kind == RUN_CLEAN)
        code = judge_ended(world, &run, code);
    code = tell_findings(&absentees, &run.policy, &terminal, code);
    code = tell_findings(&races.findings, &run.policy, &terminal, code);
    tell_gaps(&races, &terminal);
    play_races_release(&races);
    code = tell_complaints(play, &run.policy, locator.symbols, &terminal, code);
    code = end_record(trace, &run, &outcome, code);
    outcome_release(&outcome);
    play_free(play);
    world_free(world);
    symbols_free(locator.symbols);
    return code;
}
