/*
 * Two ranks accumulate to one place with different operators, in two epochs (MPI-4.0, 12.2.1: accumulate_ops).
 *
 * check: -n 3: none
 */
#include <mpi.h>

static int window[4];

int main(int argc, char **argv)
{
    int rank, three = 3;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(window, sizeof window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Accumulate(&three, 1, MPI_INT, 2, 0, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_fence(0, win);
    if (rank == 1)
        MPI_Accumulate(&three, 1, MPI_INT, 2, 0, 1, MPI_INT, MPI_PROD, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return rank == 2 && window[0] != 9;
}
