/*
 * verify -- every run of a program.
 *
 * What is found is in the result directory before it is told, so that nothing is
 * lost however tourney ends.
 */
#include <stdio.h>

#include "command/verification.h"
#include "base/deadline.h"
#include "base/die.h"
#include "base/mem.h"
#include "command/command.h"
#include "command/question.h"
#include "report/summary.h"

static const int verdict_codes[] = {[VERDICT_CLEAN] = 0, [VERDICT_DEFECTS] = 1, [VERDICT_INCOMPLETE] = 2};

static int exit_code(const struct verification *v)
{
    if (drive_signal())
        return 128 + drive_signal();
    int code = v->refused ? EXIT_TOURNEY : verdict_codes[v->result.verdict];
    if (v->result.verdict == VERDICT_DEFECTS && v->options.said.error_exitcode)
        code = v->options.said.error_exitcode;
    return code == 0 && (v->unsaved || v->unprinted) ? EXIT_TOURNEY : code;
}

static void release(struct verification *v)
{
    symbols_free(v->symbols);
    free(v->path);
    result_release(&v->result);
    map_release(&v->known);
    vec_release(&v->met);
    vec_release(&v->ended);
    shown_trees_release(&v->trees);
    check_release(&v->check);
    flaws_release(&v->flaws);
    relied_release(&v->relied);
    options_release(&v->options);
    session_end(&v->session);
}

static struct explore_options search_options(const struct run_options *options)
{
    const struct said *said = &options->said;
    return (struct explore_options){.ranks = options->world.ranks,
                                    .slack = options->world.slack,
                                    .any_slack = options->any_slack,
                                    .merge = !options->no_merge,
                                    .heed_past = true,
                                    .mixing = said->given[OPTION_MIX_BOUND] ? (uint32_t)said->mix_bound + 1 : 0,
                                    .samples = (uint64_t)said->sample,
                                    .seed = (uint64_t)said->seed,
                                    .jobs = options->jobs,
                                    .ahead = options->dist ? 1 : 0, /* each of these noes might take a job */
                                    .max_runs = options->engine == ENGINE_PREDICT ? 1 : (uint64_t)said->max_runs,
                                    .seconds = said->time};
}

/* What only the whole search shows has the rest of the time, and a moment in any case. */
static void allow_conclusions(const struct verification *v, const struct explore_result *explored)
{
    const double moment = 1;
    double rest = v->options.said.time - progress_seconds(&v->progress);
    if (drive_signal() || (v->options.said.time > 0 && rest < moment) || explored->left & LEFT_TIME)
        deadline_begin(moment);
    else
        deadline_begin(v->options.said.time > 0 ? rest : 0);
}

/* All runs of the program with the arguments that are set. */
static void search(struct verification *v)
{
    deadline_begin(v->options.said.time);
    v->backend = backend_open(&v->options, v->session.dir.path);
    struct runner runner = backend_runner(&v->backend);
    struct explore_options options = search_options(&v->options);
    if (v->session.journal)
        runner = journal_runner(v->session.journal, &runner, v->options.world.ranks);
    v->run = (struct explored){.explorer = explore_new(&runner, &options),
                               .drive = v->backend.drive,
                               .process = backend_process(&v->backend),
                               .ranks = v->options.world.ranks};
    if (!v->symbols)
        v->symbols = symbols_new();
    foresight_init(&v->foresight, &v->options);
    progress_begin(&v->progress, v->options.said.quiet);
    struct explore_result explored = explore_run(v->run.explorer, verification_visit, v);
    v->run.run = NULL;
    verification_look_at_complaints(v); /* of segments from which no run came to its end */
    progress_clear(&v->progress);
    if (v->session.journal && journal_count(v->session.journal).strange)
        die("%s: the program, or tourney, is not what it was: it cannot be gone on with", v->session.dir.path);
    if (!v->is_mpi && explored.runs && is_no_mpi_program(v->options.world.argv[0]))
        v->refused = !result_has_errors(&v->result); /* one that fails before MPI_Init has failed, whatever it is */
    if (v->foresight.waits && !(explored.left & (LEFT_STOPS & ~LEFT_RUNS)) &&
        (explored.left & LEFT_RUNS || v->options.engine == ENGINE_PREDICT))
        verification_foresee(v); /* the search did not come to the next run */
    allow_conclusions(v, &explored);
    verification_complete(v, &explored);
    v->is_over = !v->line;
    verification_save(v);
    if (!(explored.left & ~verification_settled(v)))
        dir_drop_journal(&v->session.dir);
    verification_tell_coverage(v, &explored);
    backend_tell_cost(&v->backend);
    if (v->options.engine == ENGINE_PREDICT && v->foresight.answered)
        question_tell_size(&v->foresight.program, &v->foresight.prediction);
    fflush(stdout);
    v->before.left |= explored.left & ~verification_settled(v);
    foresight_release(&v->foresight);
    explore_free(v->run.explorer);
    backend_close(&v->backend);
}

static int finish(struct verification *v)
{
    if (!drive_signal() && verification_add_last_words(v))
        verification_save(v);
    if (!drive_signal() && verification_add_stacks(v))
        verification_save(v);
    verification_tell_findings(v);
    verification_tell_suppressions(v);
    verification_tell_tools(v);
    verification_tell_losses(v);
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
    v->times_anew = 0;
    v->tree_due = 0;
}

static int verify_each(struct verification *v)
{
    each_lines_t lines = each_read(v->options.said.each_args, v->options.world.argv);
    bool stop = false;
    verification_begin_result(v);
    verification_save_first(v);
    for (size_t i = 0; i < lines.n && !stop; i++) {
        begin_line(v, &lines.at[i]);
        search(v);
        stop = drive_signal() || v->refused || (v->options.said.stop_first && result_has_errors(&v->result));
    }
    v->is_over = true;
    verification_save(v);
    int code = finish(v);
    each_release(&lines);
    return code;
}

int command_verify(int argc, char **argv)
{
    struct verification v = {.session = session_begin(argc, argv)};
    v.options = v.session.options;
    if (v.options.said.each_args)
        return verify_each(&v);
    verification_begin_result(&v);
    verification_save_first(&v);
    session_open_journal(&v.session, argc, argv);
    return verify(&v);
}

/* There is no more to search. */
static int tell_complete(const struct session *session)
{
    const char *dir = session->dir.path;
    struct result result = dir_read(dir);
    struct terminal terminal = options_terminal(stdout, &session->options.said);
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
    verification_begin_result(&v);
    return verify(&v);
}
