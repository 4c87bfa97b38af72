/*
 * Two ranks put blocks of two numbers with a gap of one between them, the one from the first number of the window,
 * the other from the second on: they overlap (MPI-4.0, 12.7).
 *
 * check: -n 3: rma-race error FIRST
 * race: -n 3: FIRST FIRST
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
    MPI_Type_vector(2, 2, 3, MPI_INT, &comb);
    MPI_Type_commit(&comb);
    MPI_Win_fence(0, win);
    if (rank < 2)
        MPI_Put(values, 4, MPI_INT, 2, rank, 1, comb, win); /* FIRST */
    MPI_Win_fence(0, win);
    MPI_Type_free(&comb);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
