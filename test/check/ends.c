/*
 * How a run can end; a wrong end is just one finding.  That of a rank that hangs takes time, and is in test/replay.py.
 *
 * check: -n 2 -- deadlock: deadlock error DEADLOCK
 * check: -n 2 -- luck: buffering-deadlock error LUCK
 * check: -n 2 --buffering=any -- livelock: livelock error LIVELOCK
 * check: -n 2 -- crash: crash error CRASH
 * check: -n 2 -- assert: assertion error ASSERT
 * check: -n 2 -- refused: unsupported-call warning REFUSED
 * check: -n 3 -- differ: divergence warning -
 * check: -n 3: none
 */
#include <assert.h>
#include <mpi.h>
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *what;
static int rank;

static int is(const char *name)
{
    return strcmp(what, name) == 0;
}

static void *sleep_for_ever(void *unused)
{
    pause();
    return unused;
}

/* Of the process that plays the rank now; what the C library says is the same whenever it is run again. */
static long real_process(void)
{
    long number = SYS_getpid;
    __asm__ volatile("syscall" : "+a"(number) : : "rcx", "r11", "memory");
    return number;
}

/* A rank with threads is not copied but run again for the other message, and is another process then. */
static void differ(void)
{
    int v = 0;
    pthread_t thread;
    MPI_Status status;
    if (rank) {
        if (rank == 1)
            MPI_Recv(&v, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Send(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        return;
    }
    pthread_create(&thread, NULL, sleep_for_ever, NULL);
    MPI_Send(&v, 1, MPI_INT, 1, is("differ") ? real_process() % 30000 : 7, MPI_COMM_WORLD);
    MPI_Recv(&v, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    MPI_Recv(&v, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
}

int main(int argc, char **argv)
{
    int v = 0, flag = 0, provided, other;
    MPI_Request request;
    MPI_Comm many;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    what = argc > 1 ? argv[1] : "";
    other = rank == 0 ? 1 : 0;
    if (is("deadlock"))
        MPI_Recv(&v, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* DEADLOCK */
    if (is("luck")) {
        MPI_Send(&v, 1, MPI_INT, other, 0, MPI_COMM_WORLD); /* LUCK */
        MPI_Recv(&v, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (is("livelock")) {
        MPI_Irecv(&v, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &request);
        while (!flag)
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE); /* LIVELOCK */
    }
    if (is("crash") && rank == 1)
        *(volatile int *)8 = 1; /* CRASH */
    if (rank == 1)
        assert(!is("assert")); /* ASSERT */
    if (is("refused"))
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 65, MPI_INFO_NULL, 0, MPI_COMM_SELF, &many, MPI_ERRCODES_IGNORE); /* REFUSED */
    if (*what == 0 || is("differ"))
        differ();
    MPI_Finalize();
    return 0;
}
