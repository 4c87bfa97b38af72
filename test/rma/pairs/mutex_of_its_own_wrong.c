/*
 * Two ranks count up in a shared window, each while it has a mutex of its own, which excludes nobody (MPI-4.0, 12.7; mutexes are those of 12.8).
 *
 * check: -n 2: rma-race error FIRST
 * race: -n 2: FIRST FIRST
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, unit, *mine, *first, taken = 1, free = 0, before;
    MPI_Aint size;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate_shared(2 * sizeof *mine, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_shared_query(win, 0, &size, &unit, &first);
    MPI_Win_lock_all(0, win);
    mine[0] = mine[1] = 0;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);
    do {
        MPI_Compare_and_swap(&taken, &free, &before, MPI_INT, rank, 1, win);
        MPI_Win_flush(rank, win);
    } while (before);
    MPI_Win_sync(win);
    ++first[0]; /* FIRST */
    MPI_Win_sync(win);
    MPI_Accumulate(&free, 1, MPI_INT, rank, 1, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_flush(rank, win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
