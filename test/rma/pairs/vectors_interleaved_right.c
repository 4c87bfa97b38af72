/*
 * Two ranks put to every second number of a window, the one to the even ones, the other to the odd ones: they
 * interleave and do not overlap (MPI-4.0, 12.3.1).
 *
 * check: -n 3: none
 */
#include <mpi.h>

static int window[8];

int main(int argc, char **argv)
{
    int rank, values[4] = {7, 7, 7, 7};
    MPI_Datatype comb;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(window, sizeof window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Type_vector(4, 1, 2, MPI_INT, &comb);
    MPI_Type_commit(&comb);
    MPI_Win_fence(0, win);
    if (rank < 2)
        MPI_Put(values, 4, MPI_INT, 2, rank, 1, comb, win);
    MPI_Win_fence(0, win);
    MPI_Type_free(&comb);
    MPI_Win_free(&win);
    MPI_Finalize();
    return rank == 2 && (window[0] != 7 || window[7] != 7);
}
