/*
 * OpenMP tasks that exchange: each talks to the same task of the other rank, with a tag of its own.  With `starved` there are more tasks that wait
 * than threads, and those that would send are never begun, in both ranks; the other one has the sends first, which is right if MPI buffers them.
 *
 * check: -n 2 -- exchange: none
 * runs: -n 2 -- exchange: 4, merged 1
 * check: -n 2 -- starved: deadlock error WAITS
 * runs: -n 2 -- starved: 1, merged 1
 * check: -n 2 --buffering=infinite -- fed: none
 * runs: -n 2 --buffering=infinite -- fed: 1, merged 1
 * check: -n 2 -- fed: buffering-deadlock error SENDS
 * runs: -n 2 -- fed: 9, merged 1
 */
#include <mpi.h>
#include <omp.h>
#include <string.h>

enum { THREADS = 2 };

static int rank;

static void exchange(int tag)
{
    int mine = 10 * rank + tag, other = -1;

    MPI_Sendrecv(&mine, 1, MPI_INT, 1 - rank, tag, &other, 1, MPI_INT, 1 - rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (other != 10 * (1 - rank) + tag)
        MPI_Abort(MPI_COMM_WORLD, 3);
}

static void receive(int tag)
{
    int value;

    MPI_Recv(&value, 1, MPI_INT, 1 - rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* WAITS */
}

static void send(int tag)
{
    MPI_Send(&tag, 1, MPI_INT, 1 - rank, tag, MPI_COMM_WORLD); /* SENDS */
}

static void begin_tasks(void (*first)(int), void (*second)(int))
{
    for (int i = 0; i < THREADS; i++) {
#pragma omp task firstprivate(i)
        first(i);
    }
    for (int i = 0; second && i < THREADS; i++) {
#pragma omp task firstprivate(i)
        second(i);
    }
}

int main(int argc, char **argv)
{
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel num_threads(THREADS)
#pragma omp single
    {
        if (strcmp(argv[1], "exchange") == 0)
            begin_tasks(exchange, NULL);
        else if (strcmp(argv[1], "starved") == 0)
            begin_tasks(receive, send);
        else
            begin_tasks(send, receive);
    }
    MPI_Finalize();
    return 0;
}
