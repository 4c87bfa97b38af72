/*
 * A rank counts up in both parts of a shared window, one after the other, each time under the lock of the first; another one counts up in the second, under
 * the lock of that (MPI-4.0, 12.5.3).
 *
 * check: -n 2: rma-race error FIRST
 * race: -n 2: FIRST SECOND
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, unit, *mine, *part[2];
    MPI_Aint size;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate_shared(sizeof *mine, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    for (int r = 0; r < 2; r++)
        MPI_Win_shared_query(win, r, &size, &unit, &part[r]);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
    *mine = 0;
    MPI_Win_unlock(rank, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
        ++*part[1]; /* FIRST */
        MPI_Win_unlock(1, win);
    } else {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        ++*part[0];
        MPI_Win_unlock(0, win);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        ++*part[1]; /* SECOND */
        MPI_Win_unlock(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
