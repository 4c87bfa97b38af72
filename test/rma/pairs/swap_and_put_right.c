/*
 * The lock word is released with a compare and swap, too (MPI-4.0, 12.3.4).
 *
 * check: -n 3: none
 */
#include <mpi.h>

static int window[4];

int main(int argc, char **argv)
{
    int rank, zero = 0, one = 1, old;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(window, sizeof window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Compare_and_swap(&one, &zero, &old, MPI_INT, 2, 0, win);
    if (rank == 1)
        MPI_Compare_and_swap(&zero, &one, &old, MPI_INT, 2, 0, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return rank == 2 && window[0] != 0 && window[0] != 1;
}
