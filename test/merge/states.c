/*
 * states SEED -- a random program whose futures depend on states of many kinds, for test/merge_judge.py.
 *
 * Rank 0 hears of all others in any order.  Between the messages it changes states, by a plan that the seed makes: which
 * state, set or reset, and for which sender; some are in its memory, at places that held a clock before, some on
 * other stacks, some with the kernel.  It forgets who came, waits once more, and at the end two of the states
 * decide whether it crashes, deadlocks, or ends well.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

static uint64_t seed;

static unsigned draw(unsigned n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed >> 33) % n;
}

/* ---- states: each is set or not ---- */

static int file, word;
static union {
    long time, state;
} both;
static long *block;
static ucontext_t outside, inside;
static volatile int order_to_inside, told_by_inside;

static long now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_nsec;
}

static void in_memory(int set)
{
    word = set;
}

static int is_in_memory(void)
{
    return word;
}

static void in_union(int set)
{
    both.state = set;
}

static int is_in_union(void)
{
    return both.state == 1;
}

static void in_heap(int set)
{
    free(block);
    block = calloc(4, sizeof *block);
    *block = set;
}

static int is_in_heap(void)
{
    return *block == 1;
}

/* A variable of a function that never returns, on a stack in the heap. */
static void live_inside(void)
{
    volatile int state = 0;

    for (;;) {
        if (order_to_inside < 2)
            state = order_to_inside;
        told_by_inside = state;
        swapcontext(&inside, &outside);
    }
}

static int ask_inside(int order)
{
    int told;

    order_to_inside = order;
    swapcontext(&outside, &inside);
    told = told_by_inside;
    order_to_inside = told_by_inside = 0;
    memset(&outside, 0, sizeof outside);
    return told;
}

static void on_other_stack(int set)
{
    ask_inside(set);
}

static int is_on_other_stack(void)
{
    return ask_inside(2);
}

static void offset(int set)
{
    lseek(file, set ? 3 : 0, SEEK_SET);
}

static int is_offset(void)
{
    return lseek(file, 0, SEEK_CUR) == 3;
}

static void append(int set)
{
    fcntl(file, F_SETFL, set ? O_APPEND : 0);
}

static int is_append(void)
{
    return !!(fcntl(file, F_GETFL) & O_APPEND);
}

static void close_on_exec(int set)
{
    fcntl(file, F_SETFD, set ? FD_CLOEXEC : 0);
}

static int is_close_on_exec(void)
{
    return fcntl(file, F_GETFD) == FD_CLOEXEC;
}

static void duplicate(int set)
{
    if (set)
        dup2(file, 300);
    else
        close(300);
}

static int is_duplicate(void)
{
    return fcntl(300, F_GETFD) >= 0;
}

static void open_more(int set)
{
    if (set && fcntl(301, F_GETFD) < 0) {
        int fd = open("/dev/null", O_RDONLY);
        dup2(fd, 301);
        close(fd);
    } else if (!set)
        close(301);
}

static int is_open_more(void)
{
    return fcntl(301, F_GETFD) >= 0;
}

static void mask_files(int set)
{
    umask(set ? 0077 : 0022);
}

static int is_mask_files(void)
{
    mode_t mask = umask(0);

    umask(mask);
    return mask == 0077;
}

static void folder(int set)
{
    if (chdir(set ? "/usr" : "/") < 0)
        abort();
}

static int is_folder(void)
{
    char path[16] = "";

    return getcwd(path, sizeof path) && strcmp(path, "/usr") == 0;
}

static void block_signal(int set)
{
    sigset_t one;

    sigemptyset(&one);
    sigaddset(&one, SIGUSR2);
    sigprocmask(set ? SIG_BLOCK : SIG_UNBLOCK, &one, NULL);
}

static int is_block_signal(void)
{
    sigset_t all;

    sigprocmask(SIG_BLOCK, NULL, &all);
    return sigismember(&all, SIGUSR2);
}

static void ignore_signal(int set)
{
    signal(SIGUSR1, set ? SIG_IGN : SIG_DFL);
}

static int is_ignore_signal(void)
{
    struct sigaction action;

    return sigaction(SIGUSR1, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

static void limit(int set)
{
    struct rlimit most;

    getrlimit(RLIMIT_CORE, &most);
    most.rlim_cur = set && most.rlim_max > 4096 ? 4096 : 0;
    setrlimit(RLIMIT_CORE, &most);
}

static int is_limit(void)
{
    struct rlimit most;

    return getrlimit(RLIMIT_CORE, &most) == 0 && most.rlim_cur == 4096;
}

static void name(int set)
{
    prctl(PR_SET_NAME, set ? "set" : "reset");
}

static int is_name(void)
{
    char text[17] = "";

    prctl(PR_GET_NAME, text);
    return strcmp(text, "set") == 0;
}

static const struct {
    void (*put)(int);
    int (*is)(void);
} state[] = {
    {in_memory, is_in_memory},         {in_union, is_in_union},           {in_heap, is_in_heap},
    {on_other_stack, is_on_other_stack}, {offset, is_offset},             {append, is_append},
    {close_on_exec, is_close_on_exec}, {duplicate, is_duplicate},         {open_more, is_open_more},
    {mask_files, is_mask_files},       {folder, is_folder},               {block_signal, is_block_signal},
    {ignore_signal, is_ignore_signal}, {limit, is_limit},                 {name, is_name},
};
enum { STATES = sizeof state / sizeof *state, STEPS = 4, RANKS = 8 };

/* ---- the plan ---- */

static struct {
    unsigned kind[2];                 /* of the states in this program */
    unsigned which[STEPS][RANKS];     /* at each message, by sender: of these two, or none */
    int set[STEPS][RANKS];
    int wanted[2];                    /* values of the two states with which it goes wrong */
    unsigned how;                     /* how it goes wrong */
    int clocks;                       /* places are used for the time in between */
} plan;

static void make_plan(void)
{
    for (int i = 0; i < 8; i++)
        draw(2);
    plan.kind[0] = draw(STATES);
    plan.kind[1] = draw(STATES);
    for (int i = 0; i < STEPS; i++)
        for (int r = 0; r < RANKS; r++) {
            plan.which[i][r] = draw(3);
            plan.set[i][r] = (int)draw(2);
        }
    plan.wanted[0] = (int)draw(2);
    plan.wanted[1] = (int)draw(2);
    plan.how = draw(3);
    plan.clocks = (int)draw(2);
}

static void open_states(void)
{
    enum { STACK = 1 << 16 };

    file = open("/proc/self/exe", O_RDONLY); /* a file that has no name would forbid to copy the rank */
    block = calloc(4, sizeof *block);
    getcontext(&inside);
    inside.uc_stack.ss_sp = calloc(1, STACK);
    inside.uc_stack.ss_size = STACK;
    makecontext(&inside, live_inside, 0);
    for (int i = 0; i < 2; i++)
        state[plan.kind[i]].put(0);
}

static void __attribute__((noinline)) use_clocks(void)
{
    if (plan.clocks && plan.kind[0] != 1 && plan.kind[1] != 1)
        both.time = now();
    if (plan.clocks && plan.kind[0] != 2 && plan.kind[1] != 2)
        *block = now();
}

static void __attribute__((noinline)) forget_clocks(void)
{
    if (plan.kind[0] != 1 && plan.kind[1] != 1)
        both.time = 0;
    if (plan.kind[0] != 2 && plan.kind[1] != 2)
        *block = 0;
}

static void wipe_stack(void)
{
    volatile char room[1 << 15];

    for (unsigned i = 0; i < sizeof room; i++)
        room[i] = 0;
}

static int hear(int source, int tag)
{
    static int got;
    int who;

    MPI_Recv(&got, 1, MPI_INT, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    who = got;
    got = 0;
    return who;
}

static void __attribute__((noinline)) step(int i, int who)
{
    if (plan.which[i][who] < 2)
        state[plan.kind[plan.which[i][who]]].put(plan.set[i][who]);
}

static void hear_all(int others)
{
    for (int i = 0; i < others; i++) {
        step(i % STEPS, hear(MPI_ANY_SOURCE, 0));
        use_clocks();
        wipe_stack();
    }
    forget_clocks();
    wipe_stack();
}

static void judge(void)
{
    volatile int zero = 0;

    for (int i = 0; i < 2; i++)
        if (state[plan.kind[i]].is() != plan.wanted[i])
            return;
    if (plan.how == 0)
        zero = 6 / zero; /* CRASH */
    else if (plan.how == 1)
        hear(1, 7); /* DEADLOCK */
    else
        exit(3); /* WITHOUT FINALIZE */
}

int main(int argc, char **argv)
{
    int rank, size;

    seed = strtoull(argv[1], NULL, 10);
    make_plan();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        open_states();
        wipe_stack();
        hear_all(size - 1);
        hear(1, 1);
        judge();
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        if (rank == 1)
            MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
