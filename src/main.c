/*
 * tourney -- plays out every match an MPI program can make.
 *
 * Wiring only: commands and options here, everything else in the folders.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/die.h"
#include "play/play.h"
#include "report/explored.h"
#include "report/outcome.h"
#include "report/played.h"
#include "trace/trace.h"
#include "world/program.h"
#include "world/world.h"

#ifndef VERSION
#define VERSION "0.1"
#endif

static const char usage[] =
    "usage: tourney -n N [OPTIONS] PROGRAM [ARGUMENTS]\n"
    "       tourney run -n N [OPTIONS] PROGRAM [ARGUMENTS]\n"
    "       tourney dump FILE [--json]\n"
    "\n"
    "Plays out every match that wildcard receives, probes, waitany and polls allow,\n"
    "each once, with sends buffered and not (tourney verify is the same).  tourney\n"
    "run runs the program once, as mpiexec does; dump prints a recorded execution.\n"
    "  -n N                 number of ranks\n"
    "  --buffering=KIND     which standard sends return before they are received:\n"
    "                       infinite, all; zero, none; eager=BYTES, those of at most\n"
    "                       BYTES bytes (default: run, infinite; else both ends)\n"
    "  --max-runs N, --time SECONDS, --stop-first   verify: when to stop early\n"
    "  -o, --record FILE    run: write the execution to FILE\n"
    "  --hang-timeout=S     report ranks that make no call for S s (60; run: never)\n"
    "  --tag-output         run: begin every line of output with [RANK]\n"
    "  --real-time          run: MPI_Wtime is the clock on the wall\n"
    "\n"
    "Exit code: verify: 0 all runs ended well, 1 defects, 2 stopped early without;\n"
    "run: the program's own, 1 for a deadlock or an MPI error, 128+S if a rank died\n"
    "of signal S; 3 if tourney could not run the program.\n"
    "\n"
    "Examples\n"
    "  tourney -n 4 ./solver input.dat\n"
    "  tourney run -n 3 --buffering=zero -o run.tny ./ring && tourney dump run.tny\n";

struct run_options {
    struct world_options world;
    const char *buffering; /* as given; NULL: not */
    const char *record;
    uint64_t max_runs;
    double seconds;
    bool stop_first;
};

/* Answers are worth nothing if they do not arrive. */
static int tell(const char *text)
{
    if (fputs(text, stdout) < 0 || fflush(stdout) != 0)
        die("standard output: %s", strerror(errno));
    return 0;
}

static _Noreturn void misuse(const char *what)
{
    die("%s (tourney --help)", what);
}

static long number(const char *text, long least, long most, const char *what)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (end == text || *end || errno || value < least || value > most)
        die("%s is a number from %ld to %ld, not '%s'", what, least, most, text);
    return value;
}

static uint64_t parse_buffering(const char *text)
{
    if (strcmp(text, "infinite") == 0)
        return SLACK_INFINITE;
    if (strcmp(text, "zero") == 0)
        return SLACK_ZERO;
    if (strncmp(text, "eager=", 6) == 0)
        return (uint64_t)number(text + 6, 0, LONG_MAX - 1, "--buffering=eager=BYTES: BYTES") + 1;
    die("--buffering is infinite, zero or eager=BYTES, not '%s'", text);
}

static _Noreturn void refuse_option(int c, char *const *argv)
{
    if (c == ':')
        die("'%s' lacks its value (tourney --help)", argv[optind - 1]);
    if (optopt)
        die("'-%c' is not an option of tourney (tourney --help)", optopt);
    die("'%s' is not an option of tourney (tourney --help)", argv[optind - 1]);
}

static struct run_options parse_run(int argc, char **argv, int hang_timeout)
{
    enum { BUFFERING = 256, TAG_OUTPUT, REAL_TIME, MAX_RUNS, TIME, STOP_FIRST, HANG_TIMEOUT };
    static const struct option long_options[] = {
        {"buffering", required_argument, NULL, BUFFERING}, {"record", required_argument, NULL, 'o'},
        {"tag-output", no_argument, NULL, TAG_OUTPUT},     {"real-time", no_argument, NULL, REAL_TIME},
        {"np", required_argument, NULL, 'n'},              {"help", no_argument, NULL, 'h'},
        {"max-runs", required_argument, NULL, MAX_RUNS},   {"time", required_argument, NULL, TIME},
        {"stop-first", no_argument, NULL, STOP_FIRST},     {"hang-timeout", required_argument, NULL, HANG_TIMEOUT},
        {NULL, 0, NULL, 0},
    };
    struct run_options run = {.world.hang_timeout = hang_timeout};
    int c;
    opterr = 0;
    while ((c = getopt_long_only(argc, argv, "+:n:o:h", long_options, NULL)) != -1) { /* -np, too */
        switch (c) {
        case 'n':
            run.world.ranks = number(optarg, 1, WIRE_MAX_RANKS, "-n");
            break;
        case 'o':
            run.record = optarg;
            break;
        case BUFFERING:
            run.buffering = optarg;
            break;
        case TAG_OUTPUT:
            run.world.tag_output = true;
            break;
        case REAL_TIME:
            run.world.real_time = true;
            break;
        case MAX_RUNS:
            run.max_runs = number(optarg, 1, LONG_MAX, "--max-runs");
            break;
        case TIME:
            run.seconds = number(optarg, 1, INT_MAX, "--time");
            break;
        case HANG_TIMEOUT:
            run.world.hang_timeout = number(optarg, 0, 1000000, "--hang-timeout");
            break;
        case STOP_FIRST:
            run.stop_first = true;
            break;
        case 'h':
            exit(tell(usage));
        default:
            refuse_option(c, argv);
        }
    }
    run.world.slack = run.buffering ? parse_buffering(run.buffering) : SLACK_INFINITE;
    run.world.argv = argv + optind;
    if (run.world.ranks == 0)
        misuse("-n N, the number of ranks, is missing");
    if (!*run.world.argv)
        misuse("the program is missing");
    return run;
}

struct locator {
    struct world *world;
    struct symbols *symbols;
};

static void locate(void *arg, rank_t r, uint64_t address, struct trace_place *place)
{
    struct locator *locator = arg;
    symbols_place(locator->symbols, world_process(locator->world, r), address, place);
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
    if (!run->record)
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
                              .ranks = run->world.ranks,
                              .buffering = run->buffering ? run->buffering : "infinite"};
    spare_other_files(run->record);
    struct trace_writer *trace = trace_create(run->record, &head);
    if (!trace)
        die("cannot write the record %s: %s", run->record, strerror(errno));
    free(path);
    return trace;
}

/* Returns the exit code: a record that is not complete is a failure, unless there is a worse one. */
static int end_record(struct trace_writer *trace, const struct run_options *run, const struct outcome *outcome,
                      int code)
{
    static const enum trace_end_kind kinds[] = {
        [OUTCOME_ENDED] = TRACE_ENDED,   [OUTCOME_DEADLOCK] = TRACE_DEADLOCK, [OUTCOME_LIVELOCK] = TRACE_DEADLOCK,
        [OUTCOME_CRASH] = TRACE_CRASH,   [OUTCOME_ABORT] = TRACE_ABORT,       [OUTCOME_ERROR] = TRACE_ERROR,
        [OUTCOME_MISMATCH] = TRACE_ERROR, [OUTCOME_REFUSED] = TRACE_STOPPED,  [OUTCOME_STOPPED] = TRACE_STOPPED,
        [OUTCOME_HANG] = TRACE_STOPPED,
    };
    if (!trace)
        return code;
    trace_end(trace, &(struct trace_end){.kind = kinds[outcome->kind], .code = code, .message = outcome->text});
    if (trace_close(trace) == 0)
        return code;
    fprintf(stderr, "tourney: the record %s is not complete: %s\n", run->record, strerror(errno));
    return code ? code : EXIT_TOURNEY;
}

static int code_of(const struct outcome *outcome)
{
    switch (outcome->kind) {
    case OUTCOME_ENDED:
    case OUTCOME_ABORT:
        return outcome->code & 255;
    case OUTCOME_CRASH:
    case OUTCOME_STOPPED:
        return 128 + outcome->code;
    case OUTCOME_REFUSED:
        return EXIT_TOURNEY;
    case OUTCOME_DEADLOCK:
    case OUTCOME_LIVELOCK:
    case OUTCOME_HANG:
    case OUTCOME_ERROR:
    case OUTCOME_MISMATCH:
        return 1;
    }
    BUG("outcome %d", outcome->kind);
}

/* No rank has called MPI_Init: fine for a program that could have; else it says so. */
static bool is_no_mpi_program(const char *name)
{
    char *path = program_find(name);
    bool none = !program_mpi(path);
    if (none)
        fprintf(stderr, "tourney: %s: no rank called MPI_Init; is it an MPI program?\n", name);
    free(path);
    return none;
}

/* What a program that ended by itself did wrong all the same. */
static int judge_ended(const struct world *world, const struct run_options *run, int code)
{
    bool attached = false;
    for (rank_t r = 0; r < run->world.ranks; r++) {
        const struct rank *rank = world_rank(world, r);
        attached = attached || rank->attached;
        if (rank->attached && !rank->left) {
            fprintf(stderr, "tourney: rank %d ended without MPI_Finalize\n", r);
            code = code ? code : 1;
        }
    }
    if (!attached && is_no_mpi_program(run->world.argv[0]))
        code = code ? code : EXIT_TOURNEY;
    return code;
}

struct verdict {
    bool defects, incomplete, refused;
    int signal;
};

/* One line that claims what was done, and no more. */
static void tell_coverage(const struct explore_result *result, const struct explored *explored, const char *buffering)
{
    printf("tourney: %s buffering: %" PRIu64 " run%s", buffering, result->runs, result->runs == 1 ? "" : "s");
    if (explored->bad_runs)
        printf(", %" PRIu64 " of them bad", explored->bad_runs);
    else
        fputs(result->left ? ", no error so far" : result->runs == 1 ? ", it ended well" : ", all ended well", stdout);
    if (drive_signal())
        printf("; stopped by signal %d (%s)", drive_signal(), strsignal(drive_signal()));
    else if (result->left)
        fputs("; stopped early, there are more", stdout);
    if (result->spins)
        printf("; %u polling loop%s taken to go on until told yes", result->spins, result->spins == 1 ? "" : "s");
    putchar('\n');
    fflush(stdout);
}

static struct verdict verify_with(const struct run_options *run, uint64_t slack, const char *buffering,
                                  struct findings *findings)
{
    struct world_options world = run->world;
    world.slack = slack;
    world.mute = true;
    world.seconds = run->seconds;
    struct drive *drive = drive_new(&world);
    struct runner runner = drive_runner(drive);
    struct explore_options options = {
        .ranks = world.ranks, .slack = slack, .max_runs = run->max_runs, .seconds = run->seconds};
    struct explorer *explorer = explore_new(&runner, &options);
    struct explored explored = {.out = stdout, .explorer = explorer, .drive = drive, .symbols = symbols_new(),
                                .ranks = world.ranks, .stop_first = run->stop_first, .findings = findings};
    struct explore_result result = explore_run(explorer, explored_visit, &explored);
    tell_coverage(&result, &explored, buffering);
    struct verdict verdict = {.defects = explored.bad_runs > 0, .incomplete = result.left != 0,
                              .refused = explored.refused, .signal = drive_signal()};
    symbols_free(explored.symbols);
    if (!explored.is_mpi && result.runs && is_no_mpi_program(world.argv[0]))
        verdict.refused = true;
    explore_free(explorer);
    drive_free(drive);
    return verdict;
}

static int command_verify(int argc, char **argv)
{
    enum { HANG_TIMEOUT = 60 }; /* seconds */
    struct run_options run = parse_run(argc, argv, HANG_TIMEOUT);
    if (run.record || run.world.tag_output || run.world.real_time)
        misuse("--record, --tag-output and --real-time are for tourney run");
    struct findings findings = {0};
    struct verdict verdict = verify_with(&run, run.world.slack, run.buffering ? run.buffering : "infinite", &findings);
    if (!run.buffering && !verdict.refused && !verdict.signal && !(verdict.defects && run.stop_first)) {
        struct verdict other = verify_with(&run, SLACK_ZERO, "zero", &findings);
        verdict.defects = verdict.defects || other.defects;
        verdict.incomplete = verdict.incomplete || other.incomplete;
        verdict.refused = other.refused;
        verdict.signal = other.signal;
    }
    findings_release(&findings);
    if (verdict.signal)
        return 128 + verdict.signal;
    return verdict.refused ? EXIT_TOURNEY : verdict.defects ? 1 : verdict.incomplete ? 2 : 0;
}

static int command_run(int argc, char **argv)
{
    struct run_options run = parse_run(argc, argv, 0);
    if (run.max_runs || run.seconds || run.stop_first)
        misuse("--max-runs, --time and --stop-first are for tourney verify");
    struct trace_writer *trace = start_record(&run);
    struct locator locator = {world_start(&run.world), symbols_new()};
    struct play *play = play_new(locator.world, run.world.slack, trace, locate, &locator);
    struct outcome outcome = play_run(play);
    struct scene scene = played_scene(&(struct played){play, locator.world});
    report_outcome(stderr, &scene, &outcome, locator.symbols);
    world_end(locator.world);
    int code = code_of(&outcome);
    if (outcome.kind == OUTCOME_ENDED)
        code = judge_ended(locator.world, &run, code);
    code = end_record(trace, &run, &outcome, code);
    outcome_release(&outcome);
    play_free(play);
    world_free(locator.world);
    symbols_free(locator.symbols);
    return code;
}

static int command_dump(int argc, char **argv)
{
    const char *file = NULL;
    bool json = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return tell(usage);
        if (strcmp(argv[i], "--json") == 0)
            json = true;
        else if (file || argv[i][0] == '-')
            misuse("dump takes one FILE, and --json");
        else
            file = argv[i];
    }
    if (!file)
        misuse("dump needs a FILE");
    signal(SIGPIPE, SIG_IGN);
    return trace_dump(file, json, stdout);
}

/* Files opened later must not take the place of streams that were closed. */
static void fill_streams(void)
{
    int fd;
    while ((fd = open("/dev/null", O_RDWR)) >= 0 && fd <= STDERR_FILENO)
        ;
    if (fd >= 0)
        close(fd);
}

int main(int argc, char **argv)
{
    fill_streams();
    const char *command = argc > 1 ? argv[1] : "--help";
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error when it is closed */
    if (strcmp(command, "run") == 0)
        return command_run(argc - 1, argv + 1);
    if (strcmp(command, "dump") == 0)
        return command_dump(argc - 1, argv + 1);
    if (strcmp(command, "--version") == 0)
        return tell("tourney " VERSION "\n");
    if (strcmp(command, "--help") == 0 || strcmp(command, "-h") == 0)
        return tell(usage);
    if (strcmp(command, "verify") == 0)
        return command_verify(argc - 1, argv + 1);
    if (command[0] == '-')
        return command_verify(argc, argv);
    die("'%s' is not a command; write tourney run -n N PROGRAM (tourney --help)", command);
}
