/*
 * The owner loads from its window after the fence that ends the epoch (MPI-4.0, 12.5.1).
 *
 * check: -n 2: none
 */
#include <mpi.h>

static int window[4];
static volatile int seen;

int main(int argc, char **argv)
{
    int rank, value = 7;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(window, sizeof window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    if (rank == 1)
        seen = window[0];
    MPI_Win_free(&win);
    MPI_Finalize();
    return rank == 1 && seen != 7;
}
