#include "world/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/die.h"
#include "base/mem.h"
#include "call/chance.h"
#include "call/coverage.h"
#include "call/dynamic.h"
#include "call/file_store.h"
#include "call/heap_layout.h"
#include "call/rank_claim.h"
#include "call/variables.h"
#include "library/library.h"
#include "world/children.h"
#include "world/input.h"
#include "world/kept_files.h"
#include "world/preload.h"
#include "world/program.h"
#include "world/shim_folder.h"
#include "world/tagger.h"
#include "world/variables.h"

/*
 * Singleton start in milliseconds instead of tenths of a second: no search for
 * hardware, no networks; and what each library has for that (library/library.h).
 * Libraries ignore the words of others.
 */
static const struct library_variable quick_start[] = {
    {"HWLOC_COMPONENTS", "no_os,stop"},
    {"HWLOC_PLUGINS_PATH", "/nonexistent"},
    {"UCX_TLS", "self"},
    {"UCX_PROTO_ENABLE", "n"}, /* the other way, UCX 1.23 with no network dies as MPICH 5.0 makes a window */
    {"UCX_VFS_ENABLE", "n"},
    {"UCX_MEM_EVENTS", "n"},
    {"UCX_ERROR_SIGNALS", ""},
    {"UCX_HANDLE_ERRORS", "none"},
    {"UCX_WARN_UNUSED_ENV_VARS", "n"},
    {"UCX_MODULES", "^ib,rdmacm,cma,knem,xpmem"},
    {"LD_BIND_NOW", "1"}, /* copies of a rank do not look up, each anew, what it has not called yet */
    {NULL, NULL},
};

/* What has calls of the C library fail (shim/faults). */
#define FAULTS "libtourney-faults.so"

/* What notes which code ranks run (shim/coverage). */
#define COVERAGE "libtourney-coverage.so"

/* What stands in for the compiler's library of -fsanitize=thread (shim/sanitizer). */
#define SANITIZER "libtourney-tsan.so"

/* Without it, ranks read the device, and are found out if it matters. */
static void write_chance(const char *path)
{
    uint64_t number[512];
    FILE *file = fopen(path, "we");
    for (uint64_t n = 0; file && n < CHANCE_FILE / sizeof *number;) {
        for (size_t i = 0; i < sizeof number / sizeof *number; i++)
            number[i] = chance_number(n++);
        fwrite(number, 1, sizeof number, file);
    }
    if (file)
        fclose(file);
}

/* Ranks find it before the compiler's own. */
static void offer_sanitizer(struct launch *launch, const char *program)
{
    char *name = program_thread_sanitizer(program);
    if (!name)
        return;
    char *ours = preload_beside(launch->gate, SANITIZER);
    launch->sanitizer = xformat("%s/sanitizer", launch->scratch);
    char *link = xformat("%s/%s", launch->sanitizer, name);
    if (mkdir(launch->sanitizer, 0700) < 0 || symlink(ours, link) < 0)
        die("cannot make a link in %s: %s", launch->scratch, strerror(errno));
    free(ours);
    free(link);
    free(name);
}

enum { CHANNEL_DIGITS = 6 }; /* always so many, for the same reason as in path_for_ranks */

/*
 * A file that tourney has open, for ranks to open as well.  The path is as long whatever the numbers in it are: the stack of a rank begins
 * below its environment, and is to be at the same addresses in every process of the rank.
 */
static char *path_for_ranks(pid_t tourney, int fd)
{
    static const char slashes[] = "///////////";
    int most = (int)sizeof slashes - 1;
    return xformat("/proc%.*s%d/fd%.*s%d", most - snprintf(NULL, 0, "%d", (int)tourney), slashes, (int)tourney,
                   most - snprintf(NULL, 0, "%d", fd), slashes, fd);
}

void launch_open(struct launch *launch, const char *program, const struct world_options *options, const struct memory *memory)
{
    *launch = (struct launch){.gate = preload_find(), .scratch = janitor_name_scratch("tourney")};
    launch->world = xformat("%s=%s:", WIRE_ENV, path_for_ranks(getpid(), memory->fd));
    janitor_start(&launch->janitor, launch->world, launch->scratch, 0, memory_segments(memory));
    if (mkdir(launch->scratch, 0700) < 0)
        die("cannot make a directory in %s: %s", janitor_folder(), strerror(errno));
    launch->gate = preload_name(launch->gate, launch->scratch);
    if (options->faults)
        free(preload_beside(launch->gate, FAULTS)); /* dies if it is not there */
    offer_sanitizer(launch, program);
    shim_folder_pass_on();
    if (options->files_apart)
        launch->files = kept_files_folder(launch->scratch);
    launch->chance = xformat("%s/chance", launch->scratch);
    if (memory->head->copied)
        write_chance(launch->chance);
    if (options->errors)
        launch->listener = listener_start(options->ranks);
    if (!options->tag_output)
        return;
    launch->output = xcalloc(options->ranks, sizeof *launch->output);
    for (int i = 0; i < options->ranks; i++)
        for (int stream = 0; stream < 2; stream++)
            if (pipe2(launch->output[i][stream], O_CLOEXEC) < 0)
                die("cannot make a pipe: %s (too many ranks for ulimit -n?)", strerror(errno));
}

/* The MPI library is never shut down in a copy, so what it leaves is no leak. */
static void set_environment_of_copied(const struct world_options *options, rank_t rank)
{
    const char *lsan = getenv("LSAN_OPTIONS");
    setenv("LSAN_OPTIONS", xformat("%s%sdetect_leaks=0", lsan ? lsan : "", lsan ? ":" : ""), 1);
    setenv(WIRE_ENV_COPIED, "1", 1);
    struct heap_layout layout = heap_layout_of(options->layout, rank);
    if (!options->system_heap) /* what stands there is long: the stack is below it */
        setenv(WIRE_ENV_HEAP, xformat("%u:%u%*s", layout.pattern, layout.pages, (int)layout.stack, ""), 1);
    if (options->sites)
        setenv(WIRE_ENV_SITES, "1", 1);
}

static void set_variables(const struct library_variable *variable)
{
    for (; variable->name; variable++)
        setenv(variable->name, variable->value, 1);
}

/*
 * Who is followed step by step has its functions bound from the start, else the first call would leave an address behind, and
 * uses those of the C library that need no instructions which few machines have.
 */
static void set_environment_of_followed(void)
{
    const char *tunables = getenv("GLIBC_TUNABLES");
    setenv("LD_BIND_NOW", "1", 1);
    setenv("GLIBC_TUNABLES",
           xformat("%s%sglibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX2,-AVX,-FMA,-RTM,-ERMS,-FSRM",
                   tunables ? tunables : "", tunables ? ":" : ""), 1);
}

/* What has calls fail, and what notes the code that is run, stand before the gate, and only if they are to. */
static void set_preload(const struct launch *launch, const struct world_options *options)
{
    const char *preload = getenv("LD_PRELOAD");
    char *own = launch->gate;
    if (options->faults)
        own = xformat("%s:%s", preload_beside(launch->gate, FAULTS), own);
    if (options->coverage)
        own = xformat("%s:%s", preload_beside(launch->gate, COVERAGE), own);
    setenv("LD_PRELOAD", preload && *preload ? xformat("%s:%s", own, preload) : own, 1);
}

static void set_environment(const struct launch *launch, const struct world_options *options,
                            const struct memory *memory, const struct launch_who *who, int variables)
{
    set_variables(quick_start);
    for (int i = 0; mpi_libraries[i]; i++)
        set_variables(mpi_libraries[i]->single);
    set_preload(launch, options);
    const char *folders = getenv("LD_LIBRARY_PATH");
    if (launch->sanitizer)
        setenv("LD_LIBRARY_PATH", folders && *folders ? xformat("%s:%s", launch->sanitizer, folders) : launch->sanitizer, 1);
    /* A sanitizer wants to be loaded first, but can live with a library that allocates nothing early. */
    const char *asan = getenv("ASAN_OPTIONS");
    setenv("ASAN_OPTIONS", xformat("%s%sverify_asan_link_order=0%s", asan ? asan : "", asan ? ":" : "",
                                   memory->head->copied ? ":detect_leaks=0" : ""), 1);
    unsetenv(RANK_CLAIM_ENV_LAUNCHED);
    unsetenv(WIRE_ENV_HEAP);
    unsetenv(WIRE_ENV_SITES);
    if (memory->head->copied)
        set_environment_of_copied(options, who->rank);
    setenv(CHANCE_ENV, launch->chance, 1);
    if (launch->files)
        setenv(FILE_BASE_ENV, launch->files, 1);
    unsetenv(WIRE_ENV_CHOICES);
    if (options->choices)
        setenv(WIRE_ENV_CHOICES, options->choices, 1);
    unsetenv(WIRE_ENV_NODES);
    if (options->node_ranks)
        setenv(WIRE_ENV_NODES, xformat("%d", options->node_ranks), 1);
    unsetenv(WIRE_ENV_REDUCTIONS);
    if (options->reductions)
        setenv(WIRE_ENV_REDUCTIONS, options->reductions, 1);
    unsetenv(WIRE_ENV_FAULTS);
    if (options->faults)
        setenv(WIRE_ENV_FAULTS, xformat("%u:%s", options->fault_places, options->faults), 1);
    unsetenv(COVERAGE_ENV);
    if (options->coverage)
        setenv(COVERAGE_ENV, xformat("%s:%d", path_for_ranks(getppid(), options->coverage), who->rank), 1);
    setenv(WIRE_ENV, xformat("%s:%0*d:%d", path_for_ranks(getppid(), memory->fd), CHANNEL_DIGITS, who->channel, who->rank), 1);
    unsetenv(DYNAMIC_ENV_BIRTH);
    if (who->birth)
        setenv(DYNAMIC_ENV_BIRTH, xformat("%020" PRIu64 ":%" PRIu64, who->birth->at, who->birth->bytes), 1);
    if (variables >= 0)
        setenv(VARIABLES_ENV, path_for_ranks(getppid(), variables), 1);
    char *own = xformat("%s/%0*d", launch->scratch, CHANNEL_DIGITS, who->channel);
    mkdir(own, 0700);
    for (int i = 0; mpi_libraries[i]; i++)
        if (mpi_libraries[i]->scratch)
            setenv(mpi_libraries[i]->scratch, own, 1);
}

/*
 * Where the output of silent ranks goes.  Not to /dev/null: a Fortran program that opens that file as its output, as many
 * do in all ranks but one, would be told that it has it open already.
 */
static int open_sink(int null)
{
    int sink = open("/dev/zero", O_RDWR | O_CLOEXEC);
    return sink < 0 ? null : sink;
}

static void redirect(const struct launch *launch, const struct world_options *options, rank_t rank)
{
    bool again = options->mute || options->watched; /* not by one process alone */
    int null = open("/dev/null", O_RDWR | O_CLOEXEC), input = -1;
    if (rank == 0 && options->input)
        input = open(options->input, O_RDONLY | O_CLOEXEC);
    else if (rank == 0 && again)
        input = input_reopen();
    if (input >= 0)
        dup2(input, 0);
    else if (rank != 0 || again || options->input)
        dup2(null, 0);
    int sink = options->mute ? open_sink(null) : null;
    for (int stream = 0; stream < 2; stream++)
        if (options->mute)
            dup2(sink, stream + 1);
        else if (launch->output)
            dup2(launch->output[rank][stream][1], stream + 1);
    if (launch->listener)
        dup2(listener_ear(launch->listener, rank), 2);
}

/* What is executed, and where: of one that is born, as that says. */
struct command {
    const char *program, *folder;
    char *const *argv;
};

static struct command command_of(const struct launch_who *who, const struct world_options *options, const struct memory *memory)
{
    struct command command = {who->program, "", options->argv};
    if (!who->birth)
        return command;
    const struct birth *birth = arena_at(memory, who->birth->at);
    const char *word = birth_words(birth);
    char **argv = xcalloc(birth->words, sizeof *argv); /* with a NULL at the end, since two words are none of its arguments */
    for (uint32_t i = 0; i < birth->words; i++, word += strlen(word) + 1) {
        if (i == BIRTH_PROGRAM)
            command.program = word;
        else if (i == BIRTH_FOLDER)
            command.folder = word;
        else
            argv[i - BIRTH_ARGUMENTS] = (char *)word;
    }
    command.argv = argv;
    return command;
}

/* In the child.  Addresses are the same in every run, so that runs can be compared. */
static _Noreturn void become_rank(struct launch *launch, const struct launch_who *who, const struct world_options *options,
                                  const struct memory *memory, int variables, pid_t tourney, int failed)
{
    sigset_t none;
    sigemptyset(&none);
    signal(SIGXFSZ, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != tourney)
        _exit(127); /* it was killed a moment ago */
    personality(ADDR_NO_RANDOMIZE);
    if (options->images)
        prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0); /* who maps a part of a large page the kernel need not know exactly */
    if (options->watched)
        prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
    set_environment(launch, options, memory, who, variables);
    if (memory->head->copied)
        setenv(WIRE_ENV_TIME, options->skewed ? WIRE_TIME_SKEWED : "virtual", 1);
    if (options->followed)
        set_environment_of_followed();
    if (options->mute)
        setenv("OMP_NUM_THREADS", "1", 0); /* for libraries of linear algebra, too: what has threads is not copied */
    redirect(launch, options, who->rank);
    struct command command = command_of(who, options, memory);
    int error = *command.folder && chdir(command.folder) < 0 ? errno : 0;
    if (!error) {
        execv(command.program, command.argv);
        error = errno;
    }
    if (write(failed, &error, sizeof error) < 0)
        _exit(126);
    _exit(127);
}

static int variables_of_program(struct launch *launch, const char *program)
{
    for (size_t i = 0; i < launch->variables.n; i++)
        if (strcmp(launch->variables.at[i].program, program) == 0)
            return launch->variables.at[i].file;
    vec_push(&launch->variables, (struct program_variables){xstrdup(program), variables_make(program)});
    return vec_last(&launch->variables).file;
}

static void wait_for_child(pid_t pid)
{
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

pid_t launch_rank(struct launch *launch, const struct launch_who *who, const struct world_options *options,
                  const struct memory *memory)
{
    int told[2], error;
    const char *program = who->birth ? birth_words(arena_at(memory, who->birth->at)) : who->program;
    if (pipe2(told, O_CLOEXEC) < 0)
        die("cannot make a pipe: %s", strerror(errno));
    int variables = variables_of_program(launch, program);
    pid_t tourney = getpid(), pid = fork();
    if (pid < 0)
        die("cannot start rank %d: %s", who->rank, strerror(errno));
    if (pid == 0)
        become_rank(launch, who, options, memory, variables, tourney, told[1]);
    close(told[1]);
    ssize_t got;
    while ((got = read(told[0], &error, sizeof error)) < 0 && errno == EINTR) /* another rank has ended */
        ;
    close(told[0]);
    if (got == sizeof error) {
        wait_for_child(pid);
        die("%s: %s", who->birth ? program : options->argv[0], error == ENOEXEC ? "not a program (no ELF file, no #! line)" : strerror(error));
    }
    return pid;
}

static void close_outputs(const struct launch *launch, int first, int end)
{
    for (int i = first; i < end; i++)
        for (int stream = 0; stream < 2; stream++)
            close(launch->output[i][stream][1]);
}

void launch_started(struct launch *launch, const struct world_options *options)
{
    if (!launch->output)
        return;
    launch->tagger = tagger_start(launch->output, options->ranks, launch->janitor.pipe);
    for (int i = 0; i < options->ranks; i++)
        for (int stream = 0; stream < 2; stream++)
            close(launch->output[i][stream][0]);
    close_outputs(launch, 0, options->ranks - options->spawnable);
    launch->output_end = options->ranks;
    launch->output_first = options->ranks - options->spawnable;
}

void launch_kill_below(const struct launch *launch, pid_t pid)
{
    if (janitor_marks(pid, launch->world))
        kill(pid, SIGKILL);
}

bool launch_kill_children(const struct launch *launch)
{
    const pid_t own[] = {launch->janitor.pid, launch->tagger, launch->listener ? listener_process(launch->listener) : 0};
    return children_kill(own, sizeof own / sizeof *own);
}

void launch_close(struct launch *launch)
{
    if (launch->files)
        kept_files_put_back(launch->files);
    janitor_dismiss(&launch->janitor, launch->scratch);
    if (launch->tagger) {
        close_outputs(launch, launch->output_first, launch->output_end);
        wait_for_child(launch->tagger);
    }
    if (launch->listener)
        listener_end(launch->listener);
    for (size_t i = 0; i < launch->variables.n; i++) {
        if (launch->variables.at[i].file >= 0)
            close(launch->variables.at[i].file);
        free(launch->variables.at[i].program);
    }
    vec_release(&launch->variables);
    free(launch->output);
    free(launch->scratch);
    free(launch->world);
    free(launch->gate);
    free(launch->sanitizer);
    free(launch->chance);
    free(launch->files);
}
