#include "verification/verification.h"

#include <stdio.h>

#include "base/bug_context.h"
#include "base/deadline.h"
#include "base/die.h"
#include "base/mem.h"
#include "oracle/question.h"
#include "verification/bug_told.h"
#include "world/program.h"

static struct explore_options search_options(const struct run_options *options)
{
    const struct arguments *arguments = &options->arguments;
    return (struct explore_options){.ranks = options->world.ranks,
                                    .spawnable = options->world.spawnable,
                                    .slack = options->world.slack,
                                    .any_slack = options->any_slack,
                                    .merge = !options->no_merge,
                                    .later_rounds = !options->no_merge,
                                    .heed_past = true,
                                    .scout = options->engine != ENGINE_PATHS, /* it would not be followed */
                                    .mixing =
                                        arguments->given[OPTION_MIX_BOUND] ? (uint32_t)arguments->mix_bound + 1 : 0,
                                    .lateness =
                                        arguments->given[OPTION_POLL_BOUND] ? (uint32_t)arguments->poll_bound + 1 : 0,
                                    .deepen_after = options->dist ? 15000 : 0, /* a job takes longer than a segment */
                                    .samples = (uint64_t)arguments->sample,
                                    .seed = (uint64_t)arguments->seed,
                                    .jobs = options->jobs,
                                    .ahead = options->dist ? 1 : 0, /* each of these noes might take a job */
                                    .max_runs = options->engine == ENGINE_PREDICT ? 1 : (uint64_t)arguments->max_runs,
                                    .seconds = arguments->time};
}

/* What only the whole search shows has the rest of the time, and a moment in any case. */
static void allow_conclusions(const struct verification *v, const struct explore_result *explored)
{
    const double moment = 1;
    double rest = v->options.arguments.time - progress_seconds(&v->progress);
    if (drive_signal() || (v->options.arguments.time > 0 && rest < moment) || explored->left & LEFT_TIME)
        deadline_begin(moment);
    else
        deadline_begin(v->options.arguments.time > 0 ? rest : 0);
}

/* Of what was done in earlier sessions nothing was told. */
static void heed_touches(struct verification *v)
{
    bool told = v->backend.drive && drive_tells_touches(v->backend.drive);
    if (told) {
        v->touches = drive_touches(v->backend.drive);
        v->check.touches = &v->touches;
    }
    v->told_touches = told && !v->session.resumed;
}

/* Nothing that was counted in a search holds for the next one; what was found stays. */
static void forget_search(struct verification *v)
{
    v->bad_runs = v->before.bad_runs;
    v->last_bad = 0;
    v->complaints = 0;
    v->complaint_errors = 0;
    check_release(&v->check);
    flaws_release(&v->flaws);
    reliances_release(&v->reliances);
    v->check = (struct check){0};
    verification_forget_looks(v);
    for (size_t i = 0; i < v->sightings.n; i++)
        v->sightings.at[i] = (struct first_sighting){.foreseen = v->sightings.at[i].foreseen};
    vec_clear(&v->ended);
    v->times_anew = 0;
    v->times_given_up = 0;
    v->tree_due = 0;
}

/*
 * What a search has found that was given up is as if it had been foreseen: no run of the search has it yet.  The next one takes it for its
 * own when it meets it, and if it comes to its end before, the finding stays.
 */
static void keep_findings_of_given_up_search(struct verification *v)
{
    for (size_t i = v->before.findings; i < v->result.findings.n; i++) {
        v->result.findings.at[i].run = v->result.findings.at[i].runs = 0;
        v->sightings.at[i].foreseen = true;
    }
}

void verification_heed_given_up_runs(struct verification *v)
{
    uint32_t times = explore_times_given_up(v->run.explorer);
    if (times == v->times_given_up)
        return;
    forget_search(v);
    keep_findings_of_given_up_search(v);
    heed_touches(v);
    v->times_given_up = times;
    v->result.runs = v->result.distinct = v->before.runs;
}

/* Twice as many as before, so that a program that starts one after the other does not begin anew each time. */
static void allow_spawn(struct verification *v, int wanted)
{
    const struct world_options *world = &v->options.world;
    int twice = 2 * world->spawnable, most = world->most_spawned + 1;
    int spawnable = wanted > twice ? wanted : twice;
    options_allow_spawn(&v->options, spawnable < most ? spawnable : most);
    v->result.spawnable = v->options.world.spawnable;
    session_allow_spawn(&v->session, v->options.world.spawnable);
}

/* Which calls of threads compete is found out when they do; then their order is a choice from the beginning. */
static void heed_lessons(struct verification *v, char *lessons)
{
    for (size_t i = 0; i < v->result.findings.n; i++)
        if (!v->result.findings.at[i].lessons)
            v->result.findings.at[i].lessons = xstrdup(v->result.lessons ? v->result.lessons : "");
    free(v->result.lessons);
    v->result.lessons = lessons;
    v->options.world.lessons = lessons;
    session_heed_lessons(&v->session, lessons);
}

/* A search that begins anew, with lessons or more places, has the time that earlier ones have left, and ranks are waited for no longer than that. */
static double seconds_for_search(const struct verification *v)
{
    const double least = 0.001; /* 0 is no limit */
    double time = v->options.arguments.time, rest = time - progress_seconds(&v->progress);
    return time > 0 && rest < least ? least : time > 0 ? rest : 0;
}

static void open_search(struct verification *v)
{
    v->options.world.seconds = seconds_for_search(v);
    v->options.world.places.at = v->result.spawned.at;
    v->options.world.places.n = v->result.spawned.n;
    v->backend = backend_open(&v->options, v->session.dir.path);
    struct runner runner = backend_runner(&v->backend);
    struct explore_options options = search_options(&v->options);
    if (v->session.journal)
        runner = journal_runner(v->session.journal, &runner, v->options.world.ranks);
    v->run = (struct run_view){.explorer = explore_new(&runner, &options),
                               .drive = v->backend.drive,
                               .process = backend_process(&v->backend),
                               .ranks = v->options.world.ranks};
    heed_touches(v);
    if (!v->symbols)
        v->symbols = symbols_new();
    foresight_init(&v->foresight, &v->options);
}

static void close_search(struct verification *v)
{
    foresight_release(&v->foresight);
    explore_free(v->run.explorer);
    backend_close(&v->backend);
    v->backend.drive = NULL;
}

/* That ranks start others is found out when they do; then there must be numbers for them from the beginning. */
static struct explore_result search_all_runs(struct verification *v)
{
    v->before.findings = v->result.findings.n;
    for (;;) {
        open_search(v);
        struct explore_result explored = explore_run(v->run.explorer, verification_visit, v);
        verification_heed_given_up_runs(v);
        int wanted = v->backend.drive ? drive_wants_spawnable(v->backend.drive) : 0;
        char *lessons = v->backend.drive ? drive_new_lessons(v->backend.drive) : NULL;
        bool heeds = lessons && !deadline_is_over() && !(explored.left & LEFT_STOPPED);
        if ((!wanted && !heeds) || drive_signal()) {
            free(lessons);
            return explored;
        }
        verification_note_for_reruns(v);
        if (wanted)
            allow_spawn(v, wanted);
        if (lessons)
            heed_lessons(v, lessons);
        v->options.world.made.at = v->result.made_files.at;
        v->options.world.made.n = v->result.made_files.n;
        close_search(v);
        v->run = (struct run_view){0};
        forget_search(v);
        keep_findings_of_given_up_search(v);
    }
}

/* All runs of the program with the arguments that are set. */
void verification_search(struct verification *v)
{
    struct bug_context context = {.describe = bug_told_of_session, .data = &v->session};
    bug_context_enter(&context);
    deadline_begin(v->options.arguments.time);
    progress_begin(&v->progress, v->options.arguments.quiet);
    struct explore_result explored = search_all_runs(v);
    v->run.run = NULL;
    verification_look_at_complaints(v); /* of segments from which no run came to its end */
    progress_clear(&v->progress);
    if (v->session.journal && journal_count(v->session.journal).strange)
        die("%s: the program, or tourney, is not what it was: it cannot be gone on with", v->session.dir.path);
    if (!v->is_mpi && explored.runs && program_lacks_mpi(v->options.world.argv[0]))
        v->refused = !result_has_errors(&v->result); /* one that fails before MPI_Init has failed, whatever it is */
    if (v->foresight.waits && !(explored.left & (LEFT_STOPS & ~LEFT_RUNS)) &&
        (explored.left & LEFT_RUNS || v->options.engine == ENGINE_PREDICT))
        verification_foresee(v); /* the search did not come to the next run */
    allow_conclusions(v, &explored);
    verification_complete(v, &explored);
    verification_prepare_looks(v);
    v->is_over = !v->line;
    verification_save(v);
    if (!(explored.left & ~verification_settled(v)))
        dir_drop_journal(&v->session.dir);
    backend_tell_cost(&v->backend);
    if (v->options.engine == ENGINE_PREDICT && v->foresight.answered)
        question_tell_size(&v->foresight.program, &v->foresight.prediction);
    v->before.left |= explored.left & ~verification_settled(v);
    close_search(v);
    v->check.touches = NULL;
    if (!(explored.left & LEFT_RUNNER))
        verification_look_twice(v);
    verification_tell_coverage(v, &explored);
    fflush(stdout);
    bug_context_leave(&context);
}

/* What the next line of arguments begins with: the findings so far, which were met in other searches. */
static void begin_line(struct verification *v, const struct argument_line *line)
{
    v->line = line;
    v->options.world.argv = line->argv;
    v->options.world.input = line->is_standard_input ? line->input : NULL;
    if (line->nodes) {
        v->options.world.node_ranks = line->node_ranks;
        verification_assume_nodes(v);
    }
    v->before.runs = v->result.runs;
    v->before.bad_runs = v->bad_runs;
    v->before.segments = v->result.segments;
    v->before.merged = v->result.merged;
    forget_search(v);
}

void verification_search_line(struct verification *v, size_t number)
{
    begin_line(v, &v->lines.at[number]);
    verification_search(v);
}

void verification_search_each_line(struct verification *v)
{
    bool stop = false;
    for (size_t i = 0; i < v->lines.n && !stop; i++) {
        verification_search_line(v, i);
        stop = drive_signal() || v->refused || (v->options.arguments.stop_first && result_has_errors(&v->result));
    }
    v->is_over = true;
    verification_save(v);
}

void verification_finish(struct verification *v)
{
    if (!drive_signal())
        verification_confirm_paths(v);
    if (!drive_signal() && verification_add_last_words(v))
        verification_save(v);
    if (!drive_signal() && verification_add_stacks(v))
        verification_save(v);
    verification_tell_findings(v);
    verification_tell_suppressions(v);
    verification_tell_tools(v);
    verification_tell_losses(v);
}

void verification_release(struct verification *v)
{
    symbols_free(v->symbols);
    free(v->path);
    result_release(&v->result);
    map_release(&v->known);
    vec_release(&v->sightings);
    vec_release(&v->ended);
    decision_trees_release(&v->trees);
    check_release(&v->check);
    verification_forget_looks(v);
    flaws_release(&v->flaws);
    reliances_release(&v->reliances);
    argument_lines_release(&v->lines);
    options_release(&v->options);
    session_end(&v->session);
}
