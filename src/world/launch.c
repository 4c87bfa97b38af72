#include "world/launch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/die.h"
#include "base/mem.h"
#include "call/stage.h"
#include "call/variables.h"
#include "world/children.h"
#include "world/preload.h"
#include "world/tagger.h"
#include "world/variables.h"

/*
 * Singleton start in milliseconds instead of tenths of a second: no search for
 * hardware, no networks, no helper daemon, no threads.  Both libraries ignore
 * the other's words.
 */
static const char *const quick_start[][2] = {
    {"HWLOC_COMPONENTS", "no_os,stop"},
    {"HWLOC_PLUGINS_PATH", "/nonexistent"},
    {"UCX_TLS", "self"},
    {"UCX_VFS_ENABLE", "n"},
    {"UCX_MEM_EVENTS", "n"},
    {"UCX_ERROR_SIGNALS", ""},
    {"UCX_HANDLE_ERRORS", "none"},
    {"UCX_WARN_UNUSED_ENV_VARS", "n"},
    {"UCX_MODULES", "^ib,rdmacm,cma,knem,xpmem"},
    {"OMPI_MCA_ess_singleton_isolated", "1"},
    {"OMPI_MCA_pml", "ob1"},
    {"OMPI_MCA_btl", "self"},
    {"OMPI_MCA_osc", "^ucx"},
    {"OMPI_MCA_shmem", "mmap"},
    {"OMPI_MCA_sharedfp", "sm"}, /* the others leave files beside the user's */
    {"OMPI_MCA_mpi_leave_pinned", "0"},
    {"OMPI_MCA_memory", "^patcher"},
    {"OMPI_MCA_coll", "basic,self,libnbc"},
    {"OMPI_MCA_op", "^avx"},
    {"LD_BIND_NOW", "1"}, /* copies of a rank do not look up, each anew, what it has not called yet */
};

static int remove_entry(const char *path, const struct stat *s, int kind, struct FTW *ftw)
{
    (void)s, (void)kind, (void)ftw;
    return remove(path);
}

static void remove_scratch(const char *path)
{
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* Every process of this world has the path of its memory in the environment. */
static bool is_of_world(pid_t pid, const char *world)
{
    static char environment[1 << 18];
    char *path = xformat("/proc/%d/environ", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, environment, sizeof environment) : 0;
    if (fd >= 0)
        close(fd);
    free(path);
    return n > 0 && memmem(environment, n, world, strlen(world));
}

static bool kill_once(const char *world)
{
    DIR *proc = opendir("/proc");
    struct dirent *entry;
    bool any = false;
    while (proc && (entry = readdir(proc)))
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && is_of_world(atoi(entry->d_name), world)) {
            kill(atoi(entry->d_name), SIGKILL);
            any = true;
        }
    if (proc)
        closedir(proc);
    return any;
}

/* A process that forks or executes while it is looked for can be missed: look until several looks find none. */
static void kill_world(const char *world)
{
    enum { LOOKS = 4, PAUSE = 5 * 1000 * 1000, PATIENCE = 400 };
    for (int idle = 0, i = 0; idle < LOOKS && i < PATIENCE; i++) {
        idle = kill_once(world) ? 0 : idle + 1;
        nanosleep(&(struct timespec){.tv_nsec = PAUSE}, NULL);
    }
}

/*
 * A child that outlives tourney by a moment: when the pipe closes, it removes the
 * scratch directory.  If tourney did not say good-bye it was killed, and ranks
 * or what they started may still be there.
 */
static void start_janitor(struct launch *launch, const struct memory *memory)
{
    int pipe_end[2];
    launch->world = xformat("%s=/proc/%d/fd/%d:", WIRE_ENV, (int)getpid(), memory->fd);
    if (pipe2(pipe_end, O_CLOEXEC) < 0 || (launch->janitor = fork()) < 0)
        die("cannot start a process: %s", strerror(errno));
    if (launch->janitor == 0) {
        char byte;
        setsid(); /* who kills the group that tourney is in shall not kill its janitor */
        for (int sig = 1; sig < NSIG; sig++)
            signal(sig, SIG_IGN);
        close(pipe_end[1]);
        ssize_t got;
        while ((got = read(pipe_end[0], &byte, 1)) < 0 && errno == EINTR)
            ;
        if (got == 0)
            kill_world(launch->world);
        remove_scratch(launch->scratch);
        _exit(0);
    }
    close(pipe_end[0]);
    launch->janitor_pipe = pipe_end[1];
}

/* A name that nobody else has, so that the janitor can know of the directory before it is there. */
static char *name_scratch(const char *folder)
{
    uint64_t number = 0;
    if (getrandom(&number, sizeof number, 0) != sizeof number)
        die("no random numbers: %s", strerror(errno));
    return xformat("%s/tourney.%016" PRIx64, folder, number);
}

void launch_open(struct launch *launch, const struct world_options *options, const struct memory *memory)
{
    const char *given = getenv("TMPDIR"), *tmp = given && *given ? given : "/tmp";
    *launch = (struct launch){.gate = preload_find(), .scratch = name_scratch(tmp), .variables = -1};
    start_janitor(launch, memory);
    if (mkdir(launch->scratch, 0700) < 0)
        die("cannot make a directory in %s: %s", tmp, strerror(errno));
    launch->gate = preload_name(launch->gate, launch->scratch);
    if (!options->tag_output)
        return;
    launch->output = xcalloc(options->ranks, sizeof *launch->output);
    for (int i = 0; i < options->ranks; i++)
        for (int stream = 0; stream < 2; stream++)
            if (pipe2(launch->output[i][stream], O_CLOEXEC) < 0)
                die("cannot make a pipe: %s (too many ranks for ulimit -n?)", strerror(errno));
}

static void set_environment(const struct launch *launch, const struct memory *memory, rank_t rank, int channel)
{
    for (size_t i = 0; i < sizeof quick_start / sizeof *quick_start; i++)
        setenv(quick_start[i][0], quick_start[i][1], 1);
    const char *preload = getenv("LD_PRELOAD");
    setenv("LD_PRELOAD", preload && *preload ? xformat("%s:%s", launch->gate, preload) : launch->gate, 1);
    /* A sanitizer wants to be loaded first, but can live with a library that allocates nothing early. */
    const char *asan = getenv("ASAN_OPTIONS");
    setenv("ASAN_OPTIONS", xformat("%s%sverify_asan_link_order=0", asan ? asan : "", asan ? ":" : ""), 1);
    unsetenv(STAGE_ENV_LAUNCHED);
    setenv(WIRE_ENV, xformat("/proc/%d/fd/%d:%d:%d", (int)getppid(), memory->fd, channel, rank), 1);
    if (launch->variables >= 0)
        setenv(VARIABLES_ENV, xformat("/proc/%d/fd/%d", (int)getppid(), launch->variables), 1);
    char *own = xformat("%s/%d", launch->scratch, channel);
    mkdir(own, 0700);
    setenv("OMPI_MCA_orte_tmpdir_base", own, 1);
}

/* Input that can be read again by every process that is started; -1: there is none. */
static int reopen_input(void)
{
    struct stat kind;
    if (fstat(0, &kind) < 0 || !S_ISREG(kind.st_mode))
        return -1;
    int input = open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC);
    lseek(input, lseek(0, 0, SEEK_CUR), SEEK_SET);
    return input;
}

static void redirect(const struct launch *launch, const struct world_options *options, rank_t rank)
{
    bool again = options->mute || options->watched; /* not by one process alone */
    int null = open("/dev/null", O_RDWR | O_CLOEXEC), input = rank == 0 && again ? reopen_input() : -1;
    if (input >= 0)
        dup2(input, 0);
    else if (rank != 0 || again)
        dup2(null, 0);
    for (int stream = 0; stream < 2; stream++)
        if (options->mute)
            dup2(null, stream + 1);
        else if (launch->output)
            dup2(launch->output[rank][stream][1], stream + 1);
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
    set_environment(launch, memory, rank, channel);
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
    launch->tagger = tagger_start(launch->output, options->ranks, launch->janitor_pipe);
    for (int i = 0; i < options->ranks; i++)
        for (int stream = 0; stream < 2; stream++)
            close(launch->output[i][stream][0]), close(launch->output[i][stream][1]);
}

void launch_kill_below(const struct launch *launch, pid_t pid)
{
    if (is_of_world(pid, launch->world))
        kill(pid, SIGKILL);
}

bool launch_kill_children(const struct launch *launch)
{
    const pid_t own[] = {launch->janitor, launch->tagger};
    return children_kill(own, sizeof own / sizeof *own);
}

static void wait_for(pid_t pid)
{
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

void launch_close(struct launch *launch)
{
    if (write(launch->janitor_pipe, "", 1) < 0)
        die("the process that cleans up is gone: %s stays", launch->scratch);
    close(launch->janitor_pipe);
    wait_for(launch->janitor);
    if (launch->tagger)
        wait_for(launch->tagger);
    if (launch->variables >= 0)
        close(launch->variables);
    free(launch->output);
    free(launch->scratch);
    free(launch->world);
    free(launch->gate);
}
