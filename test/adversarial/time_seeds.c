/*
 * What is called depends on random numbers, whose seed is the time of day and the number of the process; and a server sleeps for
 * seconds between its looks at whether there is something to do.
 *
 * check: -n 3: none
 * runs: -n 3: 2, merged 1
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

static void serve(void)
{
    for (int served = 0; served < 2; served++) {
        int there = 0, number;
        MPI_Status status;
        while (MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &status), !there)
            sleep(5);
        MPI_Recv(&number, 1, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    struct timeval now;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    gettimeofday(&now, NULL);
    srand((unsigned)now.tv_usec ^ (unsigned)getpid());
    for (int i = rand() % 5; i > 0; i--)
        MPI_Barrier(MPI_COMM_SELF);
    if (rank == 0) {
        serve();
    } else {
        sleep(100 * (unsigned)rank);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
