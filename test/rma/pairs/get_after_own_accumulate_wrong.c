/*
 * A rank accumulates and then gets the result in the same epoch: only accumulates are ordered among themselves
 * (MPI-4.0, 12.7.2).
 *
 * check: -n 2: rma-race error FIRST
 * race: -n 2: FIRST SECOND
 */
#include <mpi.h>

static int window[4];

int main(int argc, char **argv)
{
    int rank, one = 1, got = 0;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(window, sizeof window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Accumulate(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win); /* FIRST */
        MPI_Get(&got, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* SECOND */
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
