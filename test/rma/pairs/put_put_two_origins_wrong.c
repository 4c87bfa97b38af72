/*
 * Two ranks put to the same place of a third in one epoch: what stays there is undefined (MPI-4.0, 12.3 and 12.7).
 *
 * check: -n 3: rma-race error FIRST
 * race: -n 3: FIRST FIRST
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
    if (rank < 2)
        MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, win); /* FIRST */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
