/*
 * A lock word is released with a put while another rank may be trying a compare and swap on it (MPI-4.0, 12.3: exactly
 * one access is of the accumulate family).
 *
 * check: -n 3: rma-race error FIRST
 * race: -n 3: FIRST SECOND
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
        MPI_Compare_and_swap(&one, &zero, &old, MPI_INT, 2, 0, win); /* FIRST */
    if (rank == 1)
        MPI_Put(&zero, 1, MPI_INT, 2, 0, 1, MPI_INT, win); /* SECOND */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
