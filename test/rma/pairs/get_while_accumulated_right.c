/*
 * The counter is read with Get_accumulate and MPI_NO_OP, which is atomic like the accumulate (MPI-4.0, 12.3.4).
 *
 * check: -n 3: none
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
    if (rank == 0)
        MPI_Accumulate(&one, 1, MPI_INT, 2, 0, 1, MPI_INT, MPI_SUM, win);
    if (rank == 1)
        MPI_Get_accumulate(NULL, 0, MPI_INT, &got, 1, MPI_INT, 2, 0, 1, MPI_INT, MPI_NO_OP, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return got < 0 || got > 1;
}
