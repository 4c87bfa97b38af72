/*
 * A collective call leaves its result in a part of a window from which the other rank gets after the next fence
 * (MPI-4.0, 12.4).
 *
 * check: -n 2: none
 */
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
    MPI_Allreduce(&one, window, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Get(&got, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return rank == 0 && got != 2;
}
