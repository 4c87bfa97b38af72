/*
 * MPI_Compare_and_swap with an integer type of that size (MPI-4.0, 12.3.4).
 *
 * check: -n 2: none
 */
#include <stdint.h>

#include <mpi.h>

static int64_t window[2];

int main(int argc, char **argv)
{
    int rank;
    int64_t zero = 0, one = 1, old = 9;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(window, sizeof window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Compare_and_swap(&one, &zero, &old, MPI_INT64_T, 1, 0, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return window[0] != (rank == 1) || old != (rank == 0 ? 0 : 9);
}
