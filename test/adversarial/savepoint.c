/*
 * A rank with many ways goes back to where they part.  Whatever it has done since must be undone, or be known not to be: each run
 * finds things as the first one found them, and says so by its exit code if it does not.
 *
 * check: -n 5 -- memory: none
 * runs: -n 5 -- memory: 24, merged 1
 * check: -n 5 -- recursion: none
 * runs: -n 5 -- recursion: 24, merged 1
 * check: -n 5 -- large: none
 * runs: -n 5 -- large: 24, merged 1
 * check: -n 5 -- freed: none
 * runs: -n 5 -- freed: 24, merged 1
 * check: -n 5 -- given_back: none
 * runs: -n 5 -- given_back: 24, merged 1
 * check: -n 5 -- mapped: none
 * runs: -n 5 -- mapped: 24, merged 1
 * check: -n 5 -- unmapped: none
 * runs: -n 5 -- unmapped: 24, merged 1
 * check: -n 5 -- protected: none
 * runs: -n 5 -- protected: 24, merged 1
 * check: -n 5 -- read: none
 * runs: -n 5 -- read: 24, merged 1
 * check: -n 5 -- masked: none
 * runs: -n 5 -- masked: 24, merged 1
 * check: -n 5 -- handler: none
 * runs: -n 5 -- handler: 24, merged 1
 * check: -n 5 -- in_handler: none
 * runs: -n 5 -- in_handler: 24, merged 1
 * check: -n 5 -- rounding: none
 * runs: -n 5 -- rounding: 24, merged 1
 * check: -n 5 -- system: none
 * runs: -n 5 -- system: 24, merged 1
 * check: -n 5 -- thread: thread-level note THREAD
 * runs: -n 5 -- thread: 24, merged 1
 * check: -n 5 -- own_sigsys: none
 * runs: -n 5 -- own_sigsys: 24, merged 1
 * check: -n 5 -- blocked: none
 * runs: -n 5 -- blocked: 24, merged 1
 * check: -n 5 -- fails: exit-code error -
 * runs: -n 5 -- fails: 24, merged 2
 * check: -n 5 -- aborts: abort error ABORT
 * runs: -n 5 -- aborts: 24, merged 7
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xmmintrin.h>

#define FAR ((char *)0x300000000000)

enum { PAGE = 4096 };

static const char *mode;
static int bad, calls, file, handled;
static int bytes; /* of the block */
static char *block, *mapping;

static int is(const char *name)
{
    return strcmp(mode, name) == 0;
}

static int hear(void)
{
    int who;

    MPI_Recv(&who, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return who;
}

static int sum_deep(int depth)
{
    volatile char room[3000];

    memset((char *)room, depth, sizeof room);
    return depth ? sum_deep(depth - 1) + (room[1] == (char)depth) : 0;
}

static void *nothing(void *unused)
{
    return unused;
}

static void on_signal(int sig)
{
    sigset_t now;

    handled = sig;
    sigprocmask(SIG_BLOCK, NULL, &now);
    bad |= !sigismember(&now, SIGUSR2);
    hear();
    sigprocmask(SIG_BLOCK, NULL, &now);
    bad |= !sigismember(&now, SIGUSR2);
}

static void prepare(void)
{
    sigset_t two;
    struct sigaction action = {.sa_handler = on_signal};

    bytes = is("large") ? 4 << 20 : 1 << 20; /* more pages than it pays to put back; or fewer */
    block = malloc(bytes);
    memset(block, 1, bytes);
    mapping = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(mapping, 1, 4 * PAGE);
    file = open(is("read") ? "/proc/self/exe" : "/dev/null", O_RDONLY);
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGUSR2);
    if (is("in_handler"))
        sigaction(SIGUSR1, &action, NULL);
    sigemptyset(&two);
    sigaddset(&two, SIGUSR2);
    if (is("blocked"))
        sigfillset(&two);
    if (is("blocked"))
        sigprocmask(SIG_BLOCK, &two, NULL);
}

/* As it must be before the given step. */
static void look(int step)
{
    sigset_t now;
    struct sigaction known;
    unsigned char there;

    bad |= calls != step;
    if (is("memory") || is("large"))
        bad |= block[0] != 1 + step || block[3 * PAGE] != 1 + step || mapping[PAGE] != 1 + step;
    if (is("large"))
        bad |= block[bytes - 1] != 1 + step || block[bytes / 2] != 1 + step;
    if (is("freed") || is("given_back"))
        bad |= step < 3 && (block[PAGE] != 1 || block[bytes - PAGE] != 1);
    if (is("given_back") && step < 3)
        bad |= mapping[0] != 1 || mapping[3 * PAGE] != 1;
    if (is("unmapped") && step < 2)
        bad |= mapping[0] != 1 || mapping[3 * PAGE] != 1;
    if (is("mapped"))
        bad |= (mincore(FAR, PAGE, &there) == 0) != (step >= 2);
    if (is("protected") && step < 2)
        mapping[0] = 1;
    if (is("masked")) {
        sigprocmask(SIG_BLOCK, NULL, &now);
        bad |= !sigismember(&now, SIGUSR1) != !(step >= 2);
    }
    if (is("handler")) {
        sigaction(SIGUSR1, NULL, &known);
        bad |= (known.sa_handler == on_signal) != (step >= 2);
    }
    if (is("rounding"))
        bad |= _MM_GET_ROUNDING_MODE() != (step >= 2 ? _MM_ROUND_UP : _MM_ROUND_NEAREST);
}

static void change_kernel(int step)
{
    sigset_t one;
    pthread_t thread;
    struct sigaction ignored = {.sa_handler = SIG_IGN}, other = {.sa_handler = on_signal};

    if (step == 1 && is("mapped"))
        bad |= mmap(FAR, PAGE, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == MAP_FAILED;
    if (step == 1 && is("unmapped"))
        munmap(mapping, 4 * PAGE);
    if (step == 1 && is("protected"))
        mprotect(mapping, PAGE, PROT_NONE);
    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    if (step == 1 && is("masked"))
        sigprocmask(SIG_BLOCK, &one, NULL);
    if (step == 1 && is("handler"))
        sigaction(SIGUSR1, &other, NULL);
    if (step == 1 && is("in_handler"))
        raise(SIGUSR1);
    if (step == 1 && is("rounding"))
        _MM_SET_ROUNDING_MODE(_MM_ROUND_UP);
    if (step == 2 && is("system"))
        bad |= WEXITSTATUS(system("exit 5")) != 5;
    if (step == 2 && is("thread"))
        bad |= pthread_create(&thread, NULL, nothing, NULL) != 0 || pthread_join(thread, NULL) != 0; /* THREAD */
    if (step == 2 && is("own_sigsys"))
        sigaction(SIGSYS, &ignored, NULL);
}

static void change(int step)
{
    char text[100], same[100];

    calls++;
    block[0]++, block[3 * PAGE]++;
    if (!is("unmapped") && !is("protected"))
        mapping[PAGE]++;
    if (is("large"))
        for (int i = PAGE; i < bytes; i += PAGE)
            block[i] += i != 3 * PAGE;
    if (is("large"))
        block[bytes - 1]++;
    if (is("recursion"))
        bad |= sum_deep(20 << step) != 20 << step;
    if (is("read"))
        bad |= read(file, text, sizeof text) != sizeof text || pread(file, same, sizeof same, 100 * step) != sizeof same ||
               memcmp(text, same, sizeof text) != 0;
    if (step == 2 && is("freed")) {
        free(block);
        block = calloc(bytes, 1);
        bad |= block[PAGE] || block[bytes - PAGE];
    }
    if (step == 2 && is("given_back"))
        bad |= madvise(mapping, 4 * PAGE, MADV_DONTNEED) != 0 || mapping[0] || mapping[3 * PAGE];
    change_kernel(step);
}

int main(int argc, char **argv)
{
    int rank, size, first = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    mode = argv[1];
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        prepare();
        for (int step = 0; step < size - 1 - is("in_handler"); step++) {
            look(step);
            int who = hear();
            first = step ? first : who;
            change(step);
        }
        if (is("aborts") && first == 3)
            MPI_Abort(MPI_COMM_WORLD, 3); /* ABORT */
        free(block);
        if (!is("fails") && !is("aborts"))
            first = 0;
    }
    MPI_Finalize();
    return bad ? 3 : first == 3 ? 4 : 0;
}
