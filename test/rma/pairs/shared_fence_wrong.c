/*
 * A rank stores to the part of its neighbour in a shared window, which stores there as well, between two fences
 * (MPI-4.0, 12.2.3 and 12.7).
 *
 * check: -n 2: rma-race error FIRST
 * race: -n 2: FIRST SECOND
 */
#include <mpi.h>

static volatile int seen;

int main(int argc, char **argv)
{
    int rank, unit, *mine, *first;
    MPI_Aint size;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate_shared(sizeof *mine, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_shared_query(win, 0, &size, &unit, &first);
    MPI_Win_fence(0, win);
    *mine = 5; /* FIRST */
    if (rank == 1)
        *first = 8; /* SECOND */
    MPI_Win_fence(0, win);
    seen = *first;
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
