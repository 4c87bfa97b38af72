/*
 * Rank 0 measures how long it asks in vain, by the clock that it is told, and never gives up: the clock decides nothing, and
 * if the message does not come, with `never`, that is a livelock.
 *
 * check: -n 2 -- wtime: none
 * runs: -n 2 -- wtime: 1, merged 1
 * check: -n 2 -- clock: none
 * runs: -n 2 -- clock: 1, merged 1
 * check: -n 2 -- wtime never: livelock error ASKS
 * runs: -n 2 -- wtime never: 1, merged 1
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static double now(int wtime)
{
    struct timespec time;

    if (wtime)
        return MPI_Wtime();
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
    int rank, value = 0, done = 0, wtime;
    double waited = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    wtime = strcmp(argv[1], "wtime") == 0;
    if (rank == 1 && argc == 2) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else if (rank == 0) {
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        while (!done) {
            double start = now(wtime);

            MPI_Test(&request, &done, MPI_STATUS_IGNORE); /* ASKS */
            waited += now(wtime) - start;
        }
        printf("%g s\n", waited);
    }
    MPI_Finalize();
    return 0;
}
