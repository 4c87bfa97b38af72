/*
 * Each rank puts to its left neighbour, and the first to itself for want of one: both puts go to the same place
 * (MPI-4.0, 12.7).
 *
 * check: -n 2: rma-race error FIRST
 * race: -n 2: FIRST FIRST
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
    MPI_Put(&value, 1, MPI_INT, rank > 0 ? rank - 1 : 0, 0, 1, MPI_INT, win); /* FIRST */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
