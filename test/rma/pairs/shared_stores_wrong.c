/*
 * Two ranks store to the same place of a shared window without anything between them (MPI-4.0, 12.2.3 and 12.7).
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
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        *first = 7; /* FIRST */
    if (rank == 1)
        *first = 8; /* SECOND */
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);
    seen = *first;
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
