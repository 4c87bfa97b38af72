#include "world/launch.h"

#include <errno.h>
#include <fcntl.h>
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
#include "call/rank_claim.h"
#include "call/variables.h"
#include "library/library.h"
#include "world/children.h"
#include "world/input.h"
#include "world/preload.h"
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
    {"UCX_VFS_ENABLE", "n"},
    {"UCX_MEM_EVENTS", "n"},
    {"UCX_ERROR_SIGNALS", ""},
    {"UCX_HANDLE_ERRORS", "none"},
    {"UCX_WARN_UNUSED_ENV_VARS", "n"},
    {"UCX_MODULES", "^ib,rdmacm,cma,knem,xpmem"},
    {"LD_BIND_NOW", "1"}, /* copies of a rank do not look up, each anew, what it has not called yet */
    {NULL, NULL},
};

void launch_open(struct launch *launch, const struct world_options *options, const struct memory *memory)
{
    *launch = (struct launch){.gate = preload_find(), .scratch = janitor_name_scratch("tourney"), .variables = -1};
    launch->world = xformat("%s=/proc/%d/fd/%d:", WIRE_ENV, (int)getpid(), memory->fd);
    janitor_start(&launch->janitor, launch->world, launch->scratch, 0);
    if (mkdir(launch->scratch, 0700) < 0)
        die("cannot make a directory in %s: %s", janitor_folder(), strerror(errno));
    launch->gate = preload_name(launch->gate, launch->scratch);
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
static void set_environment_of_copied(const struct world_options *options)
{
    const char *lsan = getenv("LSAN_OPTIONS");
    setenv("LSAN_OPTIONS", xformat("%s%sdetect_leaks=0", lsan ? lsan : "", lsan ? ":" : ""), 1);
    setenv(WIRE_ENV_COPIED, "1", 1);
    if (!options->system_heap)
        setenv(WIRE_ENV_HEAP, "1", 1);
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

static void set_environment(const struct launch *launch, const struct world_options *options,
                            const struct memory *memory, rank_t rank, int channel)
{
    set_variables(quick_start);
    for (int i = 0; mpi_libraries[i]; i++)
        set_variables(mpi_libraries[i]->single);
    const char *preload = getenv("LD_PRELOAD");
    setenv("LD_PRELOAD", preload && *preload ? xformat("%s:%s", launch->gate, preload) : launch->gate, 1);
    /* A sanitizer wants to be loaded first, but can live with a library that allocates nothing early. */
    const char *asan = getenv("ASAN_OPTIONS");
    setenv("ASAN_OPTIONS", xformat("%s%sverify_asan_link_order=0%s", asan ? asan : "", asan ? ":" : "",
                                   memory->head->copied ? ":detect_leaks=0" : ""), 1);
    unsetenv(RANK_CLAIM_ENV_LAUNCHED);
    unsetenv(WIRE_ENV_HEAP);
    unsetenv(WIRE_ENV_SITES);
    if (memory->head->copied)
        set_environment_of_copied(options);
    setenv(WIRE_ENV, xformat("/proc/%d/fd/%d:%d:%d", (int)getppid(), memory->fd, channel, rank), 1);
    if (launch->variables >= 0)
        setenv(VARIABLES_ENV, xformat("/proc/%d/fd/%d", (int)getppid(), launch->variables), 1);
    char *own = xformat("%s/%d", launch->scratch, channel);
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
    int null = open("/dev/null", O_RDWR | O_CLOEXEC), input = rank == 0 && again ? input_reopen() : -1;
    if (input >= 0)
        dup2(input, 0);
    else if (rank != 0 || again)
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

/* In the child.  Addresses are the same in every run, so that runs can be compared. */
static _Noreturn void become_rank(struct launch *launch, const char *program, const struct world_options *options,
                                  const struct memory *memory, rank_t rank, int channel, pid_t tourney,
                                  int failed)
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
    set_environment(launch, options, memory, rank, channel);
    if (memory->head->copied)
        setenv(WIRE_ENV_TIME, "virtual", 1);
    if (options->followed)
        set_environment_of_followed();
    if (options->mute)
        setenv("OMP_NUM_THREADS", "1", 0); /* for libraries of linear algebra, too: what has threads is not copied */
    redirect(launch, options, rank);
    execv(program, options->argv);
    int error = errno;
    if (write(failed, &error, sizeof error) < 0)
        _exit(126);
    _exit(127);
}

pid_t launch_rank(struct launch *launch, const char *program, const struct world_options *options,
                  const struct memory *memory, rank_t rank, int channel)
{
    int told[2], error;
    if (pipe2(told, O_CLOEXEC) < 0)
        die("cannot make a pipe: %s", strerror(errno));
    if (!launch->has_looked)
        launch->variables = variables_make(program);
    launch->has_looked = true;
    pid_t tourney = getpid(), pid = fork();
    if (pid < 0)
        die("cannot start rank %d: %s", rank, strerror(errno));
    if (pid == 0)
        become_rank(launch, program, options, memory, rank, channel, tourney, told[1]);
    close(told[1]);
    ssize_t got = read(told[0], &error, sizeof error);
    close(told[0]);
    if (got == sizeof error) {
        waitpid(pid, NULL, 0);
        die("%s: %s", options->argv[0], error == ENOEXEC ? "not a program (no ELF file, no #! line)" : strerror(error));
    }
    return pid;
}

void launch_started(struct launch *launch, const struct world_options *options)
{
    if (!launch->output)
        return;
    launch->tagger = tagger_start(launch->output, options->ranks, launch->janitor.pipe);
    for (int i = 0; i < options->ranks; i++)
        for (int stream = 0; stream < 2; stream++)
            close(launch->output[i][stream][0]), close(launch->output[i][stream][1]);
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

static void wait_for_child(pid_t pid)
{
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

void launch_close(struct launch *launch)
{
    janitor_dismiss(&launch->janitor, launch->scratch);
    if (launch->tagger)
        wait_for_child(launch->tagger);
    if (launch->listener)
        listener_end(launch->listener);
    if (launch->variables >= 0)
        close(launch->variables);
    free(launch->output);
    free(launch->scratch);
    free(launch->world);
    free(launch->gate);
}
