/*
 * Rank 0 asks for a message until so many seconds have passed, by the clock that it is told, and then goes on without it:
 * it waits for another message, which nobody sends.  With `right` it does not.  With `alone` rank 1 waits for a word
 * first, which comes when rank 0 has given up: it polls in vain, and that is no livelock.
 *
 * check: -n 2 -- wtime 5: deadlock error WAITS
 * check: -n 2 -- wtime 5: portability note ASKS
 * runs: -n 2 -- wtime 5: 3, merged 2
 * check: -n 2 -- wtime 36000 right: none
 * runs: -n 2 -- wtime 36000 right: 3, merged 1
 * check: -n 2 -- wtime 60 alone: none
 * runs: -n 2 -- wtime 60 alone: 1, merged 1
 * check: -n 2 -- monotonic 60: deadlock error WAITS
 * check: -n 2 -- monotonic 60: portability note ASKS
 * runs: -n 2 -- monotonic 60: 3, merged 2
 * check: -n 2 -- monotonic 60 right: none
 * runs: -n 2 -- monotonic 60 right: 3, merged 1
 * check: -n 2 -- monotonic 3600 alone: none
 * runs: -n 2 -- monotonic 3600 alone: 1, merged 1
 * check: -n 2 -- real 0.25: deadlock error WAITS
 * check: -n 2 -- real 0.25: portability note ASKS
 * runs: -n 2 -- real 0.25: 3, merged 2
 * check: -n 2 -- day 2: deadlock error WAITS
 * check: -n 2 -- day 2: portability note ASKS
 * runs: -n 2 -- day 2: 3, merged 2
 * check: -n 2 -- time 3: deadlock error WAITS
 * check: -n 2 -- time 3: portability note ASKS
 * runs: -n 2 -- time 3: 3, merged 2
 * check: -n 2 -- time 30 alone: none
 * runs: -n 2 -- time 30 alone: 1, merged 1
 * check: -n 2 -- clock 1: deadlock error WAITS
 * check: -n 2 -- clock 1: portability note ASKS
 * runs: -n 2 -- clock 1: 3, merged 2
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

static double seconds(const char *name)
{
    struct timespec now = {0};
    struct timeval day;

    if (strcmp(name, "wtime") == 0)
        return MPI_Wtime();
    if (strcmp(name, "time") == 0)
        return (double)time(NULL);
    if (strcmp(name, "clock") == 0)
        return (double)clock() / CLOCKS_PER_SEC;
    if (strcmp(name, "day") == 0) {
        gettimeofday(&day, NULL);
        return (double)day.tv_sec + (double)day.tv_usec * 1e-6;
    }
    clock_gettime(strcmp(name, "real") == 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
    int rank, value = 0, done = 0, alone = argc > 3 && strcmp(argv[3], "alone") == 0;
    double start;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        if (alone)
            MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        start = seconds(argv[1]);
        while (!done && seconds(argv[1]) - start < atof(argv[2]))
            MPI_Test(&request, &done, MPI_STATUS_IGNORE); /* ASKS */
        if (alone)
            MPI_Send(&rank, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        if (!done) {
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            if (argc == 3)
                MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* WAITS */
        }
    }
    MPI_Finalize();
    return 0;
}
