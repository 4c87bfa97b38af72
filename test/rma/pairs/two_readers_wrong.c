/*
 * Each of two ranks reads the window of the other under a shared lock and, still holding it, wants the exclusive lock
 * of its own, which is being read (MPI-4.0, 12.5.3).
 *
 * check: -n 2: deadlock error STUCK
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 7, got, *window;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    MPI_Win_lock(MPI_LOCK_SHARED, 1 - rank, 0, win);
    MPI_Get(&got, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win);
    MPI_Win_flush(1 - rank, win);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win); /* STUCK */
    MPI_Put(&value, 1, MPI_INT, rank, 0, 1, MPI_INT, win);
    MPI_Win_unlock(rank, win);
    MPI_Win_unlock(1 - rank, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
