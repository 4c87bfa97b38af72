/*
 * MPI_Compare_and_swap with a floating point type (MPI-4.0, 12.3.4: integer, logical, multi-language and byte types
 * only).
 *
 * check: -n 2: rma-type error HERE
 */
#include <mpi.h>

static double window[2];

int main(int argc, char **argv)
{
    int rank;
    double zero = 0, one = 1, old = 9;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(window, sizeof window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Compare_and_swap(&one, &zero, &old, MPI_DOUBLE, 1, 0, win); /* HERE */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
