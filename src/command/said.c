#include "command/said.h"

#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "command/command.h"
#include "command/judging.h"
#include "command/words.h"

static uint32_t cores(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) < 0 ? 1 : (uint32_t)CPU_COUNT(&set);
}

static enum engine engine_of(const char *text)
{
    static const char *const word[] = {
        [ENGINE_AUTO] = "auto", [ENGINE_EXPLORE] = "explore", [ENGINE_PREDICT] = "predict"};
    return word_of_three(text, word, "--engine");
}

static enum encoding encoding_of(const char *text)
{
    static const char *const word[] = {
        [ENCODING_OURS] = "ours", [ENCODING_PLAIN] = "plain", [ENCODING_MULTI] = "multi"};
    return word_of_three(text, word, "--encoding");
}

static bool assumption_of(const char *text)
{
    if (strcmp(text, "single-path") != 0)
        die("--assume knows single-path, not '%s'", text);
    return true;
}

struct run_options said_nothing(int hang_timeout)
{
    return (struct run_options){.world.hang_timeout = hang_timeout, .mix_bound = -1, .jobs = cores(), .seed = 1};
}

void said_add(struct run_options *run, int argc, char **argv, const char *letters)
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
            run->world.ranks = word_number(optarg, 1, WIRE_MAX_RANKS, "-n");
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
            run->max_runs = word_number(optarg, 1, LONG_MAX, "--max-runs");
            break;
        case TIME:
            run->seconds = word_number(optarg, 1, INT_MAX, "--time");
            break;
        case STOP_FIRST:
            run->stop_first = true;
            break;
        case HANG_TIMEOUT:
            run->world.hang_timeout = word_number(optarg, 0, 1000000, "--hang-timeout");
            break;
        case QUIET:
            run->quiet = true;
            break;
        case NO_MERGE:
            run->no_merge = true;
            break;
        case MIX_BOUND:
            run->mix_bound = word_number(optarg, 0, UINT32_MAX - 1, "--mix-bound");
            break;
        case SAMPLE:
            run->samples = word_number(optarg, 1, LONG_MAX, "--sample");
            break;
        case SEED:
            run->seed = word_number(optarg, 0, LONG_MAX, "--seed");
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
            run->jobs = word_number(optarg, 1, 1024, "--jobs");
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
            run->judging.error_exitcode = word_number(optarg, 1, 255, "--error-exitcode");
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
            run->colour = word_colour(optarg);
            break;
        case LAUNCHER:
            run->dist.launcher = optarg;
            break;
        case CLOCK:
            run->dist.clock = optarg;
            break;
        case PARALLEL_JOBS:
            run->dist.parallel = word_number(optarg, 1, 1024, "--parallel-jobs");
            break;
        case SHOW_OUTPUT:
            run->dist.show = true;
            break;
        case 'h':
            exit(tell(usage));
        default:
            word_refuse_option(c, argv, long_options);
        }
    }
    run->world.argv = argv + optind;
}
