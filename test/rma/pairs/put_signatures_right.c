/*
 * A vector of two ints is put to two ints: the same type signature (MPI-4.0, 12.3.1).
 *
 * check: -n 2: none
 */
#include <mpi.h>

static int window[4];

int main(int argc, char **argv)
{
    int rank, values[4] = {7, 0, 7, 0};
    MPI_Datatype pair;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(window, sizeof window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Type_vector(2, 1, 2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(values, 1, pair, 1, 0, 2, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Type_free(&pair);
    MPI_Win_free(&win);
    MPI_Finalize();
    return rank == 1 && window[1] != 7;
}
