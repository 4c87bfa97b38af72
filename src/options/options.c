#include "options/options.h"

#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/mem.h"
#include "call/fault.h"
#include "call/rank_claim.h"
#include "call/wire.h"
#include "options/choices.h"
#include "options/finding_policy.h"
#include "options/node_layouts.h"
#include "options/usage.h"
#include "options/word.h"
#include "sem/sem.h"

_Static_assert((int)ARGUMENT_RANKS_MOST == (int)WIRE_MAX_RANKS, "as many ranks can be asked for as there can be");
_Static_assert((int)ARGUMENT_REDUCTIONS_PLAIN == (int)REDUCTIONS_PLAIN && (int)ARGUMENT_REDUCTIONS_NOTED == (int)REDUCTIONS_NOTED &&
                   (int)ARGUMENT_REDUCTIONS_ORDERS == (int)REDUCTIONS_ORDERS,
               "--reductions is an enum result_reductions");
_Static_assert((int)ARGUMENT_COLOR_AUTO == (int)COLOUR_AUTO && (int)ARGUMENT_COLOR_ALWAYS == (int)COLOUR_ALWAYS &&
                   (int)ARGUMENT_COLOR_NEVER == (int)COLOUR_NEVER,
               "--color is an enum colour");

uint64_t options_slack(const char *text)
{
    if (strcmp(text, "infinite") == 0)
        return SLACK_INFINITE;
    if (strcmp(text, "zero") == 0)
        return SLACK_ZERO;
    if (strncmp(text, "eager=", 6) == 0)
        return (uint64_t)word_number(text + 6, 0, LONG_MAX - 1, "--buffering=eager=BYTES: BYTES") + 1;
    die("buffering is any, infinite, zero or eager=BYTES, not '%s'", text);
}

struct terminal options_terminal(FILE *out, const struct arguments *arguments)
{
    return terminal_of(out, (enum colour)arguments->color);
}

const char *options_reductions(int kind)
{
    return kind == ARGUMENT_REDUCTIONS_PLAIN ? NULL : kind == ARGUMENT_REDUCTIONS_ORDERS ? WIRE_REDUCTIONS_CHOSEN : "noted";
}

static uint32_t cores(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) < 0 ? 1 : (uint32_t)CPU_COUNT(&set);
}

static bool is_own_layout(const struct arguments *arguments)
{
    return arguments->layout == ARGUMENT_LAYOUT_OWN && arguments->heap != ARGUMENT_HEAP_SYSTEM;
}

static const char *known_faults(const struct arguments *arguments)
{
    if (arguments->faults && !fault_set(arguments->faults))
        misuse(xformat("--faults is a list of malloc, open, read and write, such as malloc,open, and not '%s'", arguments->faults));
    if (!arguments->faults && arguments->given[OPTION_FAULT_PLACES])
        misuse("--fault-places says at how many places calls fail: which, --faults says");
    return arguments->faults;
}

/* What all commands make of it in the same way; takes what was said. */
static struct run_options options_of_arguments(struct arguments arguments, int hang_timeout)
{
    return (struct run_options){
        .arguments = arguments,
        .world = {.ranks = (int)arguments.ranks,
                  .argv = arguments.words,
                  .tag_output = arguments.tag_output,
                  .real_time = arguments.real_time,
                  .system_heap = arguments.heap == ARGUMENT_HEAP_SYSTEM,
                  .layout = is_own_layout(&arguments) ? (uint64_t)arguments.seed : 0,
                  .skewed = arguments.clocks == ARGUMENT_CLOCKS_SKEWED,
                  .choices = choices_join(&arguments.choose),
                  .reductions = options_reductions(arguments.reductions),
                  .faults = known_faults(&arguments),
                  .fault_places = (uint32_t)arguments.fault_places,
                  .node_ranks = node_layouts_first(arguments.nodes, arguments.ranks),
                  .no_savepoints = arguments.no_savepoints,
                  .hang_timeout = arguments.given[OPTION_HANG_TIMEOUT] ? (int)arguments.hang_timeout : hang_timeout},
        .output = arguments.output,
        .no_merge = arguments.no_merge,
        .jobs = arguments.jobs ? (uint32_t)arguments.jobs : cores(),
        .engine = (enum engine)arguments.engine,
        .policy = finding_policy_of(&arguments),
    };
}

void options_release(struct run_options *run)
{
    free((char *)run->world.choices);
    policy_release(&run->policy);
    arguments_release(&run->arguments);
}

/* Both would start ranks, and wait for each other's. */
static void refuse_launcher(const char *program)
{
    const char *base = rank_claim_base_name(program);
    if (rank_claim_is_launcher(program))
        die("%s is not needed, since tourney starts the ranks itself: write tourney -n N PROGRAM; for ranks on their "
            "real MPI there is tourney dist --launcher '%s ...'", base, base);
}

static struct run_options options_of_program(enum command_id command, int argc, char **argv, int hang_timeout)
{
    struct run_options run = options_of_arguments(arguments_for(command, argc, argv), hang_timeout);
    if (run.world.ranks == 0)
        misuse("-n N, the number of ranks, is missing");
    if (!*run.world.argv)
        misuse("the program is missing");
    refuse_launcher(*run.world.argv);
    return run;
}

static bool is_off(const struct policy *policy, const char *kind)
{
    return policy_severity(policy, kind, "error") == SEVERITY_OFF;
}

static void choose_buffering(struct run_options *run, const char *by_default)
{
    run->buffering = run->arguments.buffering ? run->arguments.buffering : by_default;
    run->any_slack = strcmp(run->buffering, "any") == 0;
    run->world.any_slack = run->any_slack;
    run->world.slack = run->any_slack ? SLACK_INFINITE : options_slack(run->buffering);
}

enum { HANG_TIMEOUT_OF_SEARCH = 60 }; /* seconds */

/* What a search, of which one run may be enough, makes of what was said. */
static void settle_search(struct run_options *run)
{
    if (run->arguments.given[OPTION_ASSUME])
        run->engine = ENGINE_PREDICT;
    run->world.mute = true;
    run->world.images = !run->no_merge && run->engine != ENGINE_PREDICT;
    run->world.followed = run->engine == ENGINE_PATHS && run->world.images;
    run->world.unguarded = run->world.followed || is_off(&run->policy, KIND_BUFFER_RACE);
    run->world.seconds = run->arguments.time;
    run->output = run->output ? run->output : "tourney.out";
}

/* Who is to be started while a run is recorded, or followed step by step, or only predicted, is not known there. */
static int most_spawned(const struct run_options *run)
{
    bool refused = run->arguments.record || run->engine == ENGINE_PATHS || run->engine == ENGINE_PREDICT;
    return refused ? 0 : (int)run->arguments.max_spawn;
}

struct run_options options_for_verify(int argc, char **argv)
{
    struct run_options run = options_of_program(COMMAND_VERIFY, argc, argv, HANG_TIMEOUT_OF_SEARCH);
    choose_buffering(&run, "any");
    settle_search(&run);
    run.world.most_spawned = most_spawned(&run);
    run.world.files_apart = !run.arguments.record && run.engine != ENGINE_PATHS && run.engine != ENGINE_PREDICT;
    if (run.arguments.inputs)
        node_layouts_refuse_list(run.arguments.nodes);
    else if (run.arguments.given[OPTION_INPUT_TRIES])
        misuse("--input-tries says how many inputs are tried: from where, --inputs says");
    return run;
}

/* Other encodings than ours know less. */
static void settle_encoding(struct run_options *run)
{
    bool ours = run->arguments.encoding == ARGUMENT_ENCODING_OURS;
    choose_buffering(run, ours ? "any" : "zero");
    if (run->any_slack && !ours)
        die("--buffering=any needs --encoding=ours; the others know infinite, zero and eager=BYTES");
    if (run->arguments.can && !ours)
        die("--can needs --encoding=ours");
}

struct run_options options_for_predict(int argc, char **argv)
{
    struct arguments arguments = arguments_for_either(COMMAND_PREDICT, COMMAND_PREDICT_FILE, argc, argv);
    if (!*arguments.words)
        misuse("predict needs a FILE that tourney run -o wrote, or -n N and a program");
    bool has_program = arguments.ranks;
    if (has_program)
        arguments_settle(&arguments, COMMAND_PREDICT);
    else
        arguments_settle_behind_word(&arguments, COMMAND_PREDICT_FILE, "predict takes one FILE");
    struct run_options run = options_of_arguments(arguments, HANG_TIMEOUT_OF_SEARCH);
    settle_encoding(&run);
    run.file = has_program ? NULL : *arguments.words;
    run.engine = ENGINE_PREDICT;
    if (has_program)
        settle_search(&run);
    return run;
}

struct run_options options_for_dist(int argc, char **argv)
{
    struct run_options run = options_of_program(COMMAND_DIST, argc, argv, 0);
    run.dist = true;
    run.jobs = (uint32_t)run.arguments.parallel_jobs;
    run.no_merge = true; /* ranks cannot be compared by their memory */
    run.engine = ENGINE_EXPLORE;
    choose_buffering(&run, "any");
    settle_search(&run);
    return run;
}

struct run_options options_for_resume(int argc, char **argv)
{
    struct run_options run = options_of_arguments(arguments_for(COMMAND_RESUME, argc, argv), 0);
    run.output = run.arguments.words[0];
    return run;
}

void options_allow_spawn(struct run_options *run, int spawnable)
{
    run->world.ranks += spawnable - run->world.spawnable;
    run->world.spawnable = spawnable;
}

struct run_options options_for_run(int argc, char **argv)
{
    struct run_options run = options_of_program(COMMAND_RUN, argc, argv, 0);
    node_layouts_refuse_list(run.arguments.nodes);
    run.world.unguarded = is_off(&run.policy, KIND_BUFFER_RACE);
    run.world.uncompared = is_off(&run.policy, KIND_RMA_RACE);
    choose_buffering(&run, "infinite");
    options_allow_spawn(&run, most_spawned(&run) ? most_spawned(&run) + 1 : 0);
    return run;
}

static bool has_dashes(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--") == 0)
            return true;
    return false;
}

/* What the model is for may be said behind the program as well, if nothing follows: it is put in front. */
static void put_in_front(int argc, char **argv)
{
    if (has_dashes(argc, argv))
        return;
    for (int moved = 0; moved + 1 < argc && arguments_is_option_at_home(argv[argc - 1], COMMAND_MODEL); moved++) {
        char *last = argv[argc - 1];
        memmove(argv + 2, argv + 1, (size_t)(argc - 2) * sizeof *argv);
        argv[1] = last;
    }
}

struct run_options options_for_model(int argc, char **argv)
{
    put_in_front(argc, argv);
    struct run_options run = options_of_arguments(arguments_for(COMMAND_MODEL, argc, argv), HANG_TIMEOUT_OF_SEARCH);
    node_layouts_refuse_list(run.arguments.nodes);
    if (!*run.world.argv)
        misuse("model needs -n N and a program, or a scenario");
    if (run.arguments.given[OPTION_EMIT] && run.arguments.check && !run.output)
        misuse("with --check, --emit needs -o FILE");
    choose_buffering(&run, "any");
    run.world.mute = true;
    run.world.seconds = run.arguments.time;
    return run;
}

/* A state is told by what is in memory and by where it was allocated and called from. */
struct run_options options_for_explain_states(int argc, char **argv)
{
    enum { PATIENCE = 60 }; /* seconds */
    struct run_options run = options_of_program(COMMAND_EXPLAIN_STATES, argc, argv, HANG_TIMEOUT_OF_SEARCH);
    node_layouts_refuse_list(run.arguments.nodes);
    choose_buffering(&run, "any");
    run.world.mute = run.world.images = run.world.stacks = run.world.sites = true;
    run.world.seconds = run.arguments.given[OPTION_TIME] ? run.arguments.time : PATIENCE;
    return run;
}
