/*
 * Two ranks count up in a shared window, each under the lock of its own part (MPI-4.0, 12.5.3); one of them then has its lock once more, for something
 * else.
 *
 * check: -n 2: rma-race error FIRST
 * race: -n 2: FIRST FIRST
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, unit, *mine, *first;
    MPI_Aint size;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate_shared(2 * sizeof *mine, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_shared_query(win, 0, &size, &unit, &first);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
    mine[0] = mine[1] = 0;
    MPI_Win_unlock(rank, win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
    ++first[0]; /* FIRST */
    MPI_Win_unlock(rank, win);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        ++first[1];
        MPI_Win_unlock(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
