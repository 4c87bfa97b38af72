/*
 * The owner clears its window on the heap with memset in the epoch in which another rank puts there (MPI-4.0, 12.7).
 *
 * check: -n 2: rma-race error FIRST
 * race: -n 2: FIRST SECOND
 */
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

static volatile int seen;

int main(int argc, char **argv)
{
    int rank, value = 7, *window = malloc(1000 * sizeof *window);
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(window, 1000 * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_INT, 1, 500, 1, MPI_INT, win); /* FIRST */
    if (rank == 1)
        memset(window, 0, 1000 * sizeof *window); /* SECOND */
    MPI_Win_fence(0, win);
    seen = window[500];
    MPI_Win_free(&win);
    free(window);
    MPI_Finalize();
    return 0;
}
