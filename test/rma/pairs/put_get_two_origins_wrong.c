/*
 * One rank puts to, and another gets from, the same place of a third in one epoch (MPI-4.0, 12.3: conflicting
 * accesses).
 *
 * check: -n 3: rma-race error FIRST
 * race: -n 3: FIRST SECOND
 */
#include <mpi.h>

static int window[4];

int main(int argc, char **argv)
{
    int rank, value = 7, back = 0;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(window, sizeof window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, win); /* FIRST */
    if (rank == 1)
        MPI_Get(&back, 1, MPI_INT, 2, 0, 1, MPI_INT, win); /* SECOND */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
