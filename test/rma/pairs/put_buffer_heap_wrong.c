/*
 * The origin clears its buffer on the heap before the fence that completes the put (MPI-4.0, 12.3).
 *
 * check: -n 2: rma-race error FIRST
 * race: -n 2: FIRST SECOND
 */
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

static int window[1000];

int main(int argc, char **argv)
{
    int rank, *buffer = calloc(1000, sizeof *buffer);
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(window, sizeof window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(buffer, 1000, MPI_INT, 1, 0, 1000, MPI_INT, win); /* FIRST */
    memset(buffer, 1, 1000 * sizeof *buffer); /* SECOND */
    MPI_Win_fence(0, win);
    free(buffer);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
