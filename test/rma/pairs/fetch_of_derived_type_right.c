/*
 * MPI_Get_accumulate with a derived type (MPI-4.0, 12.3.4).
 *
 * check: -n 2: none
 */
#include <mpi.h>

static int window[4];

int main(int argc, char **argv)
{
    int rank, values[2] = {7, 7}, old[2] = {9, 9};
    MPI_Datatype pair;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(window, sizeof window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Get_accumulate(values, 1, pair, old, 1, pair, 1, 0, 1, pair, MPI_SUM, win);
    MPI_Win_fence(0, win);
    MPI_Type_free(&pair);
    MPI_Win_free(&win);
    MPI_Finalize();
    return rank == 0 ? old[1] != 0 : window[1] != 7;
}
