/*
 * A rank gets into its own window, at a place where another rank puts (MPI-4.0, 12.4: the result of a get is a local
 * store).
 *
 * check: -n 3: rma-race error FIRST
 * race: -n 3: FIRST SECOND
 */
#include <mpi.h>

static int window[4];

int main(int argc, char **argv)
{
    int rank, value = 7;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(window, sizeof window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Get(window, 1, MPI_INT, 2, 1, 1, MPI_INT, win); /* FIRST */
    if (rank == 1)
        MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* SECOND */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
