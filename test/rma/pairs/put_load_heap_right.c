/*
 * The owner loads from its window on the heap after the fence that ends the epoch (MPI-4.0, 12.5.1).
 *
 * check: -n 2: none
 */
#include <stdlib.h>

#include <mpi.h>

static volatile int seen;

int main(int argc, char **argv)
{
    int rank, value = 7, *window = calloc(1000, sizeof *window);
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(window, 1000 * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_INT, 1, 500, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    if (rank == 1)
        seen = window[500];
    MPI_Win_free(&win);
    free(window);
    MPI_Finalize();
    return rank == 1 && seen != 7;
}
