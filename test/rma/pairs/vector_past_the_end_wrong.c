/*
 * The last block of a vector lies past the end of the window (MPI-4.0, 12.3.1).
 *
 * check: -n 2: rma-bounds error HERE
 */
#include <mpi.h>

static int window[4];

int main(int argc, char **argv)
{
    int rank, values[2] = {7, 7};
    MPI_Datatype column;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(window, sizeof window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Type_vector(2, 1, 3, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(values, 2, MPI_INT, 1, 1, 1, column, win); /* HERE */
    MPI_Win_fence(0, win);
    MPI_Type_free(&column);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
