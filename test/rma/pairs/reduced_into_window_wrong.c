/*
 * A collective call leaves its result in the part of a window from which the other rank gets (MPI-4.0, 12.4 and 12.7).
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
    if (rank == 0)
        MPI_Get(&got, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* FIRST */
    MPI_Allreduce(&one, window, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* SECOND */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
