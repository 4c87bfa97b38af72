/*
 * One rank says MPI_MODE_NOPRECEDE in a fence and the other does not (MPI-4.0, 12.5.5: if one does, all must).
 *
 * check: -n 2: rma-assert error HERE
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
    MPI_Win_fence(rank == 0 ? MPI_MODE_NOPRECEDE : 0, win); /* HERE */
    if (rank == 0)
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
