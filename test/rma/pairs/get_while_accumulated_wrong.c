/*
 * A plain get reads a counter that another rank accumulates to (MPI-4.0, 12.3: exactly one access is an accumulate).
 *
 * check: -n 3: rma-race error FIRST
 * race: -n 3: FIRST SECOND
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
    if (rank == 0)
        MPI_Accumulate(&one, 1, MPI_INT, 2, 0, 1, MPI_INT, MPI_SUM, win); /* FIRST */
    if (rank == 1)
        MPI_Get(&got, 1, MPI_INT, 2, 0, 1, MPI_INT, win); /* SECOND */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
