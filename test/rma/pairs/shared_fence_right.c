/*
 * A rank stores to the part of its neighbour in a shared window, which stored there before the last fence (MPI-4.0,
 * 12.2.3).
 *
 * check: -n 2: none
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
    *mine = 5;
    MPI_Win_fence(0, win);
    if (rank == 1)
        *first = 8;
    MPI_Win_fence(0, win);
    seen = *first;
    MPI_Win_free(&win);
    MPI_Finalize();
    return seen != 8;
}
