/*
 * A double is put to two ints: as many bytes, but another type signature (MPI-4.0, 12.3.1).
 *
 * check: -n 2: rma-type error HERE
 */
#include <mpi.h>

static int window[4];

int main(int argc, char **argv)
{
    int rank;
    double value = 7;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(window, sizeof window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_DOUBLE, 1, 0, 2, MPI_INT, win); /* HERE */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
