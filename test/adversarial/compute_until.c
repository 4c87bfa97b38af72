/*
 * Each rank computes until so many seconds have passed, by a clock, without a call of MPI in between: that ends, takes no time and
 * is no hang.  The order in which the results come decides nothing; with `wrong` the last one is missing.
 *
 * check: -n 2 -- 1: none
 * runs: -n 2 -- 1: 1, merged 1
 * check: -n 2 -- 3600: none
 * runs: -n 2 -- 3600: 1, merged 1
 * check: -n 2 -- 3600 wrong: deadlock error WAITS
 * runs: -n 2 -- 3600 wrong: 1, merged 1
 */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

static volatile double heat = 1;

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
    int rank, value = 0;
    double start;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (start = now(); now() - start < atof(argv[1]);)
        for (int i = 0; i < 1000; i++)
            heat = heat * 1.0000001;
    if (rank == 1)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < argc - 1; i++)
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* WAITS */
    MPI_Finalize();
    return 0;
}
