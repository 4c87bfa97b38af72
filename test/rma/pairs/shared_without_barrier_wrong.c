/*
 * Each rank stores to its part of a shared window, synchronizes memory and reads the part of its neighbour, which may not have stored yet
 * (MPI-4.0, 12.4 and 12.7).  MPI_Win_sync orders memory, and no ranks.
 *
 * check: -n 3: rma-race error FIRST
 * race: -n 3: FIRST SECOND
 */
#include <mpi.h>

static volatile int seen;

int main(int argc, char **argv)
{
    int rank, size, unit, *mine, *next;
    MPI_Aint bytes;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate_shared(sizeof *mine, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_shared_query(win, (rank + 1) % size, &bytes, &unit, &next);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    *mine = rank; /* FIRST */
    MPI_Win_sync(win);
    MPI_Win_sync(win);
    seen = *next; /* SECOND */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
