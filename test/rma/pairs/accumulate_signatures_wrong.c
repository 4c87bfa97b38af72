/*
 * A float is accumulated to an int: origin and target must have the same predefined type (MPI-4.0, 12.3.4).
 *
 * check: -n 2: rma-type error HERE
 */
#include <mpi.h>

static int window[4];

int main(int argc, char **argv)
{
    int rank;
    float value = 7;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(window, sizeof window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Accumulate(&value, 1, MPI_FLOAT, 1, 0, 1, MPI_INT, MPI_SUM, win); /* HERE */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
