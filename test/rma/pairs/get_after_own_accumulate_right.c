/*
 * A rank accumulates and reads the result with MPI_NO_OP, an accumulate too, which is ordered after it (MPI-4.0,
 * 12.7.2).
 *
 * check: -n 2: none
 */
#include <stddef.h>

#include <mpi.h>

static int window[4];

int main(int argc, char **argv)
{
    int rank, one = 1, got = 0;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(window, sizeof window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Accumulate(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win);
        MPI_Fetch_and_op(NULL, &got, MPI_INT, 1, 0, MPI_NO_OP, win);
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return rank == 0 && got != 1;
}
