/*
 * The owner counts up with an accumulate to itself, as the other rank does (MPI-4.0, 12.3.4).
 *
 * check: -n 2: none
 */
#include <stdlib.h>

#include <mpi.h>

static volatile int seen;

int main(int argc, char **argv)
{
    int rank, one = 1, *window = calloc(1, sizeof *window);
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(window, sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Accumulate(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win);
    else
        MPI_Accumulate(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_fence(0, win);
    seen = *window;
    MPI_Win_free(&win);
    free(window);
    MPI_Finalize();
    return rank == 1 && seen != 2;
}
