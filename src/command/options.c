#include "command/options.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/mem.h"
#include "command/command.h"
#include "command/judging.h"
#include "sem/sem.h"

static long number(const char *text, long least, long most, const char *what)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (end == text || *end || errno || value < least || value > most)
        die("%s is a number from %ld to %ld, not '%s'", what, least, most, text);
    return value;
}

uint64_t options_slack(const char *text)
{
    if (strcmp(text, "infinite") == 0)
        return SLACK_INFINITE;
    if (strcmp(text, "zero") == 0)
        return SLACK_ZERO;
    if (strncmp(text, "eager=", 6) == 0)
        return (uint64_t)number(text + 6, 0, LONG_MAX - 1, "--buffering=eager=BYTES: BYTES") + 1;
    die("--buffering is infinite, zero or eager=BYTES, not '%s'", text);
}

static enum colour colour(const char *text)
{
    int colour = colour_of(text);
    if (colour < 0)
        die("--color is auto, always or never, not '%s'", text);
    return (enum colour)colour;
}

static _Noreturn void refuse_option(int c, char *const *argv)
{
    if (c == ':')
        die("'%s' lacks its value (tourney --help)", argv[optind - 1]);
    if (optopt)
        die("'-%c' is not an option of tourney (tourney --help)", optopt);
    die("'%s' is not an option of tourney (tourney --help)", argv[optind - 1]);
}

static uint32_t cores(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) < 0 ? 1 : (uint32_t)CPU_COUNT(&set);
}

/* Which of three words it is. */
static unsigned word_of(const char *text, const char *const word[3], const char *option)
{
    for (unsigned i = 0; i < 3; i++)
        if (strcmp(text, word[i]) == 0)
            return i;
    die("%s is %s, %s or %s, not '%s'", option, word[0], word[1], word[2], text);
}

static enum engine engine_of(const char *text)
{
    static const char *const word[] = {
        [ENGINE_AUTO] = "auto", [ENGINE_EXPLORE] = "explore", [ENGINE_PREDICT] = "predict"};
    return word_of(text, word, "--engine");
}

static enum encoding encoding_of(const char *text)
{
    static const char *const word[] = {
        [ENCODING_OURS] = "ours", [ENCODING_PLAIN] = "plain", [ENCODING_MULTI] = "multi"};
    return word_of(text, word, "--encoding");
}

static bool assumption_of(const char *text)
{
    if (strcmp(text, "single-path") != 0)
        die("--assume knows single-path, not '%s'", text);
    return true;
}

static struct run_options nothing_said(int hang_timeout)
{
    return (struct run_options){.world.hang_timeout = hang_timeout, .mix_bound = -1, .jobs = cores(), .seed = 1};
}

/* Adds to what was said.  `letters` as for getopt: whether options may follow the other words, which are then in world.argv. */
static void parse_on(struct run_options *run, int argc, char **argv, const char *letters)
{
    enum { BUFFERING = 256, RECORD, TAG_OUTPUT, REAL_TIME, MAX_RUNS, TIME, STOP_FIRST, QUIET, HANG_TIMEOUT,
           NO_MERGE, MIX_BOUND, SAMPLE, SEED, SUPPRESSIONS, GEN_SUPPRESSIONS, ERROR_EXITCODE, EACH_ARGS, SARIF,
           JUNIT, CI, COLOR, EMIT, CHECK, NO_FOLD, ENGINE, ASSUME, ENCODING, DIMACS, PROOF, CAN, LAUNCHER, CLOCK,
           PARALLEL_JOBS, SHOW_OUTPUT };
    static const struct option long_options[] = {
        {"buffering", required_argument, NULL, BUFFERING}, {"record", required_argument, NULL, RECORD},
        {"tag-output", no_argument, NULL, TAG_OUTPUT},     {"real-time", no_argument, NULL, REAL_TIME},
        {"np", required_argument, NULL, 'n'},              {"help", no_argument, NULL, 'h'},
        {"max-runs", required_argument, NULL, MAX_RUNS},   {"time", required_argument, NULL, TIME},
        {"stop-first", no_argument, NULL, STOP_FIRST},     {"quiet", no_argument, NULL, QUIET},
        {"no-merge", no_argument, NULL, NO_MERGE},         {"mix-bound", required_argument, NULL, MIX_BOUND},
        {"sample", required_argument, NULL, SAMPLE},       {"seed", required_argument, NULL, SEED},
        {"jobs", required_argument, NULL, 'j'},            {"hang-timeout", required_argument, NULL, HANG_TIMEOUT},
        {"sarif", required_argument, NULL, SARIF},         {"junit", required_argument, NULL, JUNIT},
        {"ci", no_argument, NULL, CI},                     {"emit", required_argument, NULL, EMIT},
        {"check", no_argument, NULL, CHECK},               {"no-fold", no_argument, NULL, NO_FOLD},
        {"engine", required_argument, NULL, ENGINE},       {"assume", required_argument, NULL, ASSUME},
        {"encoding", required_argument, NULL, ENCODING},   {"dimacs", required_argument, NULL, DIMACS},
        {"proof", required_argument, NULL, PROOF},         {"can", required_argument, NULL, CAN},
        {"suppressions", required_argument, NULL, SUPPRESSIONS},
        {"gen-suppressions", no_argument, NULL, GEN_SUPPRESSIONS},
        {"error-exitcode", required_argument, NULL, ERROR_EXITCODE},
        {"each-args", required_argument, NULL, EACH_ARGS},
        {"color", required_argument, NULL, COLOR},
        {"launcher", required_argument, NULL, LAUNCHER},   {"clock", required_argument, NULL, CLOCK},
        {"parallel-jobs", required_argument, NULL, PARALLEL_JOBS},
        {"show-output", no_argument, NULL, SHOW_OUTPUT},
        {NULL, 0, NULL, 0},
    };
    int c;
    opterr = 0;
    optind = 0; /* a resumed search has two command lines */
    while ((c = getopt_long_only(argc, argv, letters, long_options, NULL)) != -1) { /* -np, too */
        switch (c) {
        case 'n':
            run->world.ranks = number(optarg, 1, WIRE_MAX_RANKS, "-n");
            break;
        case 'o':
            run->output = optarg;
            break;
        case RECORD:
            run->record = optarg;
            break;
        case BUFFERING:
            run->buffering = optarg;
            break;
        case TAG_OUTPUT:
            run->world.tag_output = true;
            break;
        case REAL_TIME:
            run->world.real_time = true;
            break;
        case MAX_RUNS:
            run->max_runs = number(optarg, 1, LONG_MAX, "--max-runs");
            break;
        case TIME:
            run->seconds = number(optarg, 1, INT_MAX, "--time");
            break;
        case STOP_FIRST:
            run->stop_first = true;
            break;
        case HANG_TIMEOUT:
            run->world.hang_timeout = number(optarg, 0, 1000000, "--hang-timeout");
            break;
        case QUIET:
            run->quiet = true;
            break;
        case NO_MERGE:
            run->no_merge = true;
            break;
        case MIX_BOUND:
            run->mix_bound = number(optarg, 0, UINT32_MAX - 1, "--mix-bound");
            break;
        case SAMPLE:
            run->samples = number(optarg, 1, LONG_MAX, "--sample");
            break;
        case SEED:
            run->seed = number(optarg, 0, LONG_MAX, "--seed");
            break;
        case SARIF:
            run->sarif = optarg;
            break;
        case JUNIT:
            run->junit = optarg;
            break;
        case CI:
            run->ci = true;
            break;
        case EMIT:
            run->emit = optarg;
            break;
        case CHECK:
            run->check = true;
            break;
        case NO_FOLD:
            run->no_fold = true;
            break;
        case 'j':
            run->jobs = number(optarg, 1, 1024, "--jobs");
            break;
        case 'W':
            judging_add_opinion(&run->judging, optarg);
            break;
        case SUPPRESSIONS:
            judging_add_suppressions(&run->judging, optarg);
            break;
        case GEN_SUPPRESSIONS:
            run->judging.gen_suppressions = true;
            break;
        case ERROR_EXITCODE:
            run->judging.error_exitcode = number(optarg, 1, 255, "--error-exitcode");
            break;
        case EACH_ARGS:
            run->judging.each_args = optarg;
            break;
        case ENGINE:
            run->engine = engine_of(optarg);
            break;
        case ASSUME:
            run->single_path = assumption_of(optarg);
            break;
        case ENCODING:
            run->asking.encoding = encoding_of(optarg);
            break;
        case DIMACS:
            run->asking.dimacs = optarg;
            break;
        case PROOF:
            run->asking.proof = optarg;
            break;
        case CAN:
            run->asking.can = optarg;
            break;
        case COLOR:
            run->colour = colour(optarg);
            break;
        case LAUNCHER:
            run->dist.launcher = optarg;
            break;
        case CLOCK:
            run->dist.clock = optarg;
            break;
        case PARALLEL_JOBS:
            run->dist.parallel = number(optarg, 1, 1024, "--parallel-jobs");
            break;
        case SHOW_OUTPUT:
            run->dist.show = true;
            break;
        case 'h':
            exit(tell(usage));
        default:
            refuse_option(c, argv);
        }
    }
    run->world.argv = argv + optind;
}

static struct run_options parse(int argc, char **argv, const char *letters, int hang_timeout)
{
    struct run_options run = nothing_said(hang_timeout);
    parse_on(&run, argc, argv, letters);
    return run;
}

static struct run_options parse_program(int argc, char **argv, int hang_timeout)
{
    struct run_options run = parse(argc, argv, "+:n:o:j:W:h", hang_timeout);
    if (run.emit || run.check || run.no_fold)
        misuse("--emit, --check and --no-fold are for tourney model");
    if (run.world.ranks == 0)
        misuse("-n N, the number of ranks, is missing");
    if (!*run.world.argv)
        misuse("the program is missing");
    return run;
}

/* How a search is done, which a program that runs once has no use for. */
static bool concerns_search(const struct run_options *run)
{
    return run->stop_first || run->no_merge || run->mix_bound >= 0 || run->samples || run->sarif || run->junit ||
           run->ci || run->engine != ENGINE_AUTO || run->single_path;
}

static bool concerns_prediction(const struct run_options *run)
{
    return run->asking.encoding != ENCODING_OURS || run->asking.dimacs || run->asking.proof || run->asking.can;
}

static bool is_off(const struct policy *policy, const char *kind)
{
    return policy_severity(policy, kind, "error") == SEVERITY_OFF;
}

static void choose_buffering(struct run_options *run)
{
    run->buffering = run->buffering ? run->buffering : "any";
    run->any_slack = strcmp(run->buffering, "any") == 0;
    run->world.slack = run->any_slack ? SLACK_INFINITE : options_slack(run->buffering);
}

static bool concerns_dist(const struct run_options *run)
{
    return run->dist.launcher || run->dist.clock || run->dist.parallel || run->dist.show;
}

enum { HANG_TIMEOUT_OF_SEARCH = 60 }; /* seconds */

/* What a search, of which one run may be enough, makes of what was said. */
static void settle_search(struct run_options *run)
{
    if ((run->record && !run->dist.asked) || run->world.tag_output || run->world.real_time)
        misuse("--record, --tag-output and --real-time are for tourney run");
    if (run->samples && run->mix_bound >= 0)
        misuse("--sample and --mix-bound do not go together");
    if (run->single_path && run->engine == ENGINE_EXPLORE)
        misuse("--assume single-path is for prediction, which --engine=explore forbids");
    if (run->single_path)
        run->engine = ENGINE_PREDICT;
    if (run->engine == ENGINE_PREDICT && (run->samples || run->mix_bound >= 0))
        misuse("prediction needs one run: --sample and --mix-bound are for the search");
    run->world.mute = true;
    run->world.images = !run->no_merge && run->engine != ENGINE_PREDICT;
    run->world.unguarded = is_off(&run->judging.policy, "buffer-race");
    run->world.seconds = run->seconds;
    run->output = run->output ? run->output : "tourney.out";
}

struct run_options options_for_verify(int argc, char **argv)
{
    struct run_options run = parse_program(argc, argv, HANG_TIMEOUT_OF_SEARCH);
    if (concerns_dist(&run))
        misuse("--launcher, --clock, --parallel-jobs and --show-output are for tourney dist");
    if (concerns_prediction(&run))
        misuse("--encoding, --dimacs, --proof and --can are for tourney predict");
    choose_buffering(&run);
    settle_search(&run);
    return run;
}

/* The words behind FILE; there must be none but options. */
static void parse_behind(struct run_options *run, int argc, char **argv)
{
    run->file = *run->world.argv;
    parse_on(run, argc - optind, argv + optind, "+:n:o:j:W:h");
    if (run->world.ranks)
        misuse("predict takes a FILE, or -n N and a program");
    if (*run->world.argv)
        misuse("predict takes one FILE");
    if (run->output || run->record || run->max_runs || run->seconds || run->quiet || run->world.hang_timeout ||
        run->world.tag_output || run->world.real_time || concerns_search(run) || judging_is_asked_for(&run->judging))
        misuse("predict FILE takes --buffering, --encoding, --dimacs, --proof and --can; the others need a program");
}

static void settle_buffering(struct run_options *run)
{
    bool ours = run->asking.encoding == ENCODING_OURS;
    run->buffering = run->buffering ? run->buffering : ours ? "any" : "zero";
    choose_buffering(run);
    if (run->any_slack && !ours)
        die("--buffering=any needs --encoding=ours; the others know infinite, zero and eager=BYTES");
    if (run->asking.can && !ours)
        die("--can needs --encoding=ours");
}

struct run_options options_for_predict(int argc, char **argv)
{
    struct run_options run = parse(argc, argv, "+:n:o:j:W:h", 0);
    if (!*run.world.argv)
        misuse("predict needs a FILE that tourney run -o wrote, or -n N and a program");
    if (!run.world.ranks)
        parse_behind(&run, argc, argv);
    settle_buffering(&run);
    if (run.file)
        return run;
    if (run.engine != ENGINE_AUTO)
        misuse("--engine is for tourney verify");
    if (run.asking.can)
        misuse("--can names operations of a record: predict FILE --can A,B");
    run.engine = ENGINE_PREDICT;
    run.world.hang_timeout = run.world.hang_timeout ? run.world.hang_timeout : HANG_TIMEOUT_OF_SEARCH;
    settle_search(&run);
    return run;
}

struct run_options options_for_dist(int argc, char **argv)
{
    struct run_options run = parse_program(argc, argv, 0);
    const char *clock = run.dist.clock ? run.dist.clock : "vector";
    if (strcmp(clock, "vector") != 0 && strcmp(clock, "lamport") != 0)
        die("--clock is vector or lamport, not '%s'", clock);
    if (run.world.hang_timeout)
        misuse("--hang-timeout is not for tourney dist: a rank of a real job may compute as long as it likes");
    if (run.judging.each_args)
        misuse("--each-args is not for tourney dist");
    if (concerns_prediction(&run) || run.engine != ENGINE_AUTO || run.single_path)
        misuse("tourney dist does not predict; keep a run with --record FILE for tourney predict");
    run.dist.asked = true;
    run.dist.clock = clock;
    run.dist.parallel = run.dist.parallel ? run.dist.parallel : 1;
    run.jobs = run.dist.parallel;
    run.no_merge = true; /* ranks cannot be compared by their memory */
    run.engine = ENGINE_EXPLORE;
    choose_buffering(&run);
    if (run.world.slack != SLACK_INFINITE)
        misuse("--buffering is any or infinite for tourney dist: in a job it is MPI that buffers");
    settle_search(&run);
    return run;
}

struct run_options options_for_resume(int argc, char **argv)
{
    struct run_options run = parse(argc, argv, ":n:o:j:W:h", 0);
    if (!run.world.argv[0] || run.world.argv[1])
        misuse("resume takes one DIR, the result directory of the search");
    if (run.world.ranks || run.output || run.record || run.buffering || run.world.hang_timeout || concerns_search(&run) ||
        concerns_prediction(&run) || judging_is_asked_for(&run.judging) || concerns_dist(&run))
        misuse("resume takes --max-runs, --time, --jobs, --quiet and --color; the rest is as it was");
    run.output = run.world.argv[0];
    return run;
}

struct run_options options_for_run(int argc, char **argv)
{
    struct run_options run = parse_program(argc, argv, 0);
    if (run.max_runs || run.seconds || run.quiet || concerns_search(&run))
        misuse("--max-runs, --time, --stop-first, --quiet, --no-merge, --mix-bound, --sample, --engine, --assume, --sarif,"
               " --junit and --ci are for tourney verify");
    if (concerns_prediction(&run))
        misuse("--encoding, --dimacs, --proof and --can are for tourney predict");
    if (concerns_dist(&run))
        misuse("--launcher, --clock, --parallel-jobs and --show-output are for tourney dist");
    if (judging_goes_further(&run.judging))
        misuse("--suppressions, --gen-suppressions, --error-exitcode and --each-args are for tourney verify");
    run.world.unguarded = is_off(&run.judging.policy, "buffer-race");
    run.buffering = run.buffering ? run.buffering : "infinite";
    run.world.slack = options_slack(run.buffering);
    run.record = run.record ? run.record : run.output;
    return run;
}

static bool is_for_model(const char *word)
{
    return strncmp(word, "--emit=", 7) == 0 || strcmp(word, "--check") == 0 || strcmp(word, "--no-fold") == 0;
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
    for (int moved = 0; moved + 1 < argc && is_for_model(argv[argc - 1]); moved++) {
        char *last = argv[argc - 1];
        memmove(argv + 2, argv + 1, (size_t)(argc - 2) * sizeof *argv);
        argv[1] = last;
    }
}

struct run_options options_for_model(int argc, char **argv)
{
    put_in_front(argc, argv);
    struct run_options run = parse(argc, argv, "+:n:o:j:W:h", 60);
    if (!*run.world.argv)
        misuse("model needs -n N and a program, or a scenario");
    if (run.emit && run.check && !run.output)
        misuse("with --check, --emit needs -o FILE");
    if (run.record || run.world.tag_output || run.world.real_time || run.quiet || concerns_search(&run) ||
        judging_is_asked_for(&run.judging))
        misuse("model takes --emit, --check, --no-fold, --buffering, --max-runs, --time, --jobs, --hang-timeout and -o");
    choose_buffering(&run);
    run.world.mute = true;
    run.world.seconds = run.seconds;
    return run;
}

struct replay_options options_for_replay(int argc, char **argv)
{
    enum { STEP = 256, STEPS, GDB, GDB_BATCH, VSCODE, COLOR };
    static const struct option long_options[] = {
        {"step", required_argument, NULL, STEP},           {"steps", no_argument, NULL, STEPS},
        {"gdb", no_argument, NULL, GDB},                   {"gdb-batch", required_argument, NULL, GDB_BATCH},
        {"vscode", no_argument, NULL, VSCODE},             {"help", no_argument, NULL, 'h'},
        {"color", required_argument, NULL, COLOR},
        {NULL, 0, NULL, 0},
    };
    struct replay_options replay = {.command = xcalloc((size_t)argc, sizeof *replay.command)};
    int c;
    opterr = 0;
    while ((c = getopt_long(argc, argv, ":h", long_options, NULL)) != -1) {
        switch (c) {
        case STEP:
            replay.step = number(optarg, 1, UINT32_MAX, "--step");
            break;
        case STEPS:
            replay.list = true;
            break;
        case GDB_BATCH:
            replay.command[replay.commands++] = optarg;
            replay.gdb = true;
            break;
        case GDB:
            replay.gdb = true;
            break;
        case VSCODE:
            replay.vscode = true;
            break;
        case COLOR:
            replay.colour = colour(optarg);
            break;
        case 'h':
            exit(tell(usage));
        default:
            refuse_option(c, argv);
        }
    }
    if (argc - optind != 2)
        misuse("replay takes DIR, a result directory, and ID, the number of a finding");
    if (replay.list && (replay.step || replay.gdb || replay.vscode))
        misuse("--steps lists the steps and stops nowhere");
    replay.dir = argv[optind];
    replay.id = number(argv[optind + 1], 1, UINT32_MAX, "ID, the number of a finding,");
    return replay;
}
