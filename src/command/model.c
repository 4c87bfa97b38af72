/*
 * model -- extracts a model of a program from its executions: for SPIN, for TLA+, to look
 * at, or to be checked here.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/mem.h"
#include "command/command.h"
#include "drive/drive.h"
#include "model/check.h"
#include "model/dot.h"
#include "model/json.h"
#include "model/model.h"
#include "model/outcome.h"
#include "model/promela.h"
#include "model/tla.h"
#include "model/words.h"
#include "options/options.h"
#include "options/usage.h"
#include "scenario/read.h"
#include "scenario/runner.h"
#include "world/input.h"
#include "world/program.h"

enum { EXIT_CLEAN = 0, EXIT_DEFECTS = 1, EXIT_INCOMPLETE = 2 };

/* ---- what is written ---- */

static void emit_promela(FILE *file, const struct model *model)
{
    char *refusal = promela_refusal(model);
    if (refusal)
        die("this cannot be said in Promela: %s", refusal);
    promela_print(file, model);
}

static void emit_tla(FILE *file, const struct model *model)
{
    char *refusal = tla_refusal(model);
    if (refusal)
        die("this cannot be said in TLA+: %s", refusal);
    tla_print(file, model);
}

static void emit_json(FILE *file, const struct model *model)
{
    char *text = json_print(model);
    fprintf(file, "%s\n", text);
    free(text);
}

static const struct language {
    void (*emit)(FILE *, const struct model *);
} languages[] = {[ARGUMENT_EMIT_PROMELA] = {emit_promela},
                 [ARGUMENT_EMIT_TLA] = {emit_tla},
                 [ARGUMENT_EMIT_DOT] = {dot_print},
                 [ARGUMENT_EMIT_JSON] = {emit_json}};

/* NULL: it is not to be written. */
static const struct language *language_of(const struct arguments *arguments)
{
    return arguments->given[OPTION_EMIT] ? &languages[arguments->emit] : NULL;
}

static void emit_model(const struct language *language, const struct model *model, const char *path)
{
    FILE *file = path ? fopen(path, "we") : stdout;
    if (!file)
        die("cannot write %s: %s", path, strerror(errno));
    language->emit(file, model);
    if (ferror(file) | (path ? fclose(file) : fflush(file)))
        die("%s is not complete: %s", path ? path : "standard output", strerror(errno));
}

/* ---- what is told ---- */

static void tell_model(const struct model *model)
{
    size_t ops = 0, edges = 0, by_end[RUN_ENDS] = {0};
    for (uint32_t i = 1; i < model->node.n; i++) {
        edges += model->node.at[i].edge.n;
        for (uint32_t k = 0; k < model->node.at[i].count; k++)
            ops += op_matters(model->op.at[model->node.at[i].first_op + k].op);
    }
    for (size_t i = 0; i < model->outcome.n; i++)
        by_end[model->outcome.at[i].end]++;
    printf("tourney: a model of %d ranks: %zu nodes, %zu operations, %zu answers; %zu outcome%s", model->ranks,
           model->node.n - 1, ops, edges, model->outcome.n, model->outcome.n == 1 ? "" : "s");
    const char *joint = ": ";
    for (int e = RUN_CLEAN; e < RUN_ENDS; e++)
        if (by_end[e]) {
            printf("%s%zu %s", joint, by_end[e], run_end_name(e));
            joint = ", ";
        }
    printf("%s\n", model->result.left ? "; the search was cut short" : "");
}

static const char *reduction_name(bool reduced)
{
    return reduced ? "with reduction" : "without reduction";
}

/* True: both ways of searching saw what the program showed. */
static bool tell_check(const struct model *model, bool reduced, const struct run_options *options)
{
    struct check_result got =
        check_model(model, reduced, (uint64_t)options->arguments.max_runs, options->arguments.time);
    bool same = outcomes_agree(&model->outcome, &got.outcome, model->ranks);
    printf("%-18s %10llu states %10llu steps %6zu outcome%s %9.3f s%s%s\n", reduction_name(reduced),
           (unsigned long long)got.states, (unsigned long long)got.steps, got.outcome.n, got.outcome.n == 1 ? " " : "s",
           got.seconds, got.left & LEFT_RUNNER ? "; the model lacks an answer" : got.left ? "; cut short" : "",
           !got.left && !model->result.left && !same ? "; not those of the program" : "");
    outcomes_release(&got.outcome);
    return same || got.left || model->result.left;
}

static int model_exit_code(const struct model *model)
{
    for (size_t i = 0; i < model->outcome.n; i++)
        if (model->outcome.at[i].end != RUN_CLEAN)
            return EXIT_DEFECTS;
    return model->result.left ? EXIT_INCOMPLETE : EXIT_CLEAN;
}

static bool is_mpi(const struct model *model)
{
    for (uint32_t i = 1; i < model->op.n; i++)
        if (model->op.at[i].op->kind == OP_INIT)
            return true;
    return false;
}

/* ---- where it comes from ---- */

static bool is_scenario(const char *path)
{
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".scn") == 0;
}

/* Of what was extracted, tells or writes what was asked for; returns the exit code. */
static int finish_extraction(const struct model *model, const struct run_options *options)
{
    const struct language *language = language_of(&options->arguments);
    if (language)
        emit_model(language, model, options->output);
    else
        tell_model(model);
    if (options->arguments.check) {
        bool plain = tell_check(model, false, options), reduced = tell_check(model, true, options); /* both are told */
        if (!plain || !reduced)
            return EXIT_TOURNEY;
    }
    if (language)
        return model->result.left ? EXIT_INCOMPLETE : 0;
    return model_exit_code(model);
}

/* The keepers of windows take what is calm in one order (W7), so what they do in others is not known. */
static _Noreturn void refuse_windows(const char *path)
{
    die("%s has a window, or a shared file pointer that ranks move alone, and models do not know one-sided communication or files", path);
}

/* It has its own number of ranks and, unless another is asked for, its own buffering. */
static int model_scenario(const struct run_options *options)
{
    struct scenario scenario;
    struct scenario_runner interpreter;
    if (options->world.ranks)
        misuse("a scenario says itself how many ranks it has");
    scenario_read(&scenario, options->world.argv[0]);
    if (scenario.numbers)
        refuse_windows(options->world.argv[0]);
    scenario_runner_init(&interpreter, &scenario);
    struct runner runner = scenario_runner(&interpreter);
    struct explore_options search = scenario_options(&scenario);
    if (!options->any_slack) {
        search.any_slack = search.every_slack_deadlock = false;
        search.slack = options->world.slack;
    }
    search.merge = !options->arguments.no_fold;
    search.max_runs = (uint64_t)options->arguments.max_runs;
    search.seconds = options->arguments.time;
    struct model *model = model_extract(&runner, &search, !options->arguments.no_fold);
    int code = finish_extraction(model, options);
    model_free(model);
    scenario_runner_release(&interpreter);
    scenario_release(&scenario);
    return code;
}

static int model_program(struct run_options *options)
{
    struct explore_options search = {.ranks = options->world.ranks,
                                     .slack = options->world.slack,
                                     .any_slack = options->any_slack,
                                     .every_slack_deadlock = true,
                                     .merge = !options->arguments.no_fold,
                                     .jobs = options->jobs,
                                     .max_runs = (uint64_t)options->arguments.max_runs,
                                     .seconds = options->arguments.time};
    if (!search.ranks)
        misuse("-n N, the number of ranks, is missing");
    options->world.images = search.merge;
    input_keep(options->arguments.quiet);
    struct drive *drive = drive_new(&options->world);
    struct runner runner = drive_runner(drive);
    struct model *model = model_extract(&runner, &search, !options->arguments.no_fold);
    int code;
    if (model->result.windows.slots)
        refuse_windows(options->world.argv[0]);
    if (model->result.dynamic)
        die("%s starts ranks, or meets others at a port, and models do not know dynamic processes", options->world.argv[0]);
    if (model->result.by_end[RUN_REFUSED])
        die("%s makes a call that models do not know, such as one that starts ranks; tourney verify names it", options->world.argv[0]);
    if (drive_signal())
        code = 128 + drive_signal();
    else if (!is_mpi(model) && program_lacks_mpi(options->world.argv[0]))
        code = EXIT_TOURNEY;
    else
        code = finish_extraction(model, options);
    model_free(model);
    drive_free(drive);
    return code;
}

int command_model(int argc, char **argv)
{
    struct run_options options = options_for_model(argc, argv);
    return is_scenario(options.world.argv[0]) ? model_scenario(&options) : model_program(&options);
}
