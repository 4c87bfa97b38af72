#include "command/options.h"

#include <getopt.h>
#include <limits.h>
#include <string.h>

#include "base/die.h"
#include "call/stage.h"
#include "command/command.h"
#include "command/judging.h"
#include "command/said.h"
#include "command/words.h"
#include "sem/sem.h"

uint64_t options_slack(const char *text, bool any)
{
    if (strcmp(text, "infinite") == 0)
        return SLACK_INFINITE;
    if (strcmp(text, "zero") == 0)
        return SLACK_ZERO;
    if (strncmp(text, "eager=", 6) == 0)
        return (uint64_t)word_number(text + 6, 0, LONG_MAX - 1, "--buffering=eager=BYTES: BYTES") + 1;
    die("--buffering is %sinfinite, zero or eager=BYTES, not '%s'", any ? "any, " : "", text);
}

static struct run_options parse(int argc, char **argv, const char *letters, int hang_timeout)
{
    struct run_options run = said_nothing(hang_timeout);
    said_add(&run, argc, argv, letters);
    return run;
}

/* Both would start ranks, and wait for each other's. */
static void refuse_launcher(const char *program)
{
    const char *base = stage_base_name(program);
    if (stage_is_launcher(program))
        die("%s is not needed, since tourney starts the ranks itself: write tourney -n N PROGRAM; for ranks on their "
            "real MPI there is tourney dist --launcher '%s ...'", base, base);
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
    refuse_launcher(*run.world.argv);
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
    run->world.slack = run->any_slack ? SLACK_INFINITE : options_slack(run->buffering, true);
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
    said_add(run, argc - optind, argv + optind, "+:n:o:j:W:h");
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
    run.world.slack = options_slack(run.buffering, false);
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
