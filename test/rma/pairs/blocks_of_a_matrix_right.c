/*
 * Two ranks put blocks of a matrix, as subarrays, that lie diagonally to each other (MPI-4.0, 12.3.1).
 *
 * check: -n 3: none
 */
#include <mpi.h>

static int window[16];

int main(int argc, char **argv)
{
    int rank, values[4] = {1, 2, 3, 4}, sizes[2] = {4, 4}, part[2] = {2, 2}, from[2];
    MPI_Datatype block;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(window, sizeof window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    from[0] = from[1] = 2 * (rank % 2);
    MPI_Type_create_subarray(2, sizes, part, from, MPI_ORDER_C, MPI_INT, &block);
    MPI_Type_commit(&block);
    MPI_Win_fence(0, win);
    if (rank < 2)
        MPI_Put(values, 4, MPI_INT, 2, 0, 1, block, win);
    MPI_Win_fence(0, win);
    MPI_Type_free(&block);
    MPI_Win_free(&win);
    MPI_Finalize();
    return rank == 2 && (window[0] != 1 || window[15] != 4);
}
