/*
 * Two ranks take the exclusive locks of both, each that of the other first; the flush makes sure that this is held,
 * and the lock of a rank itself must block (MPI-4.0, 12.5.3).
 *
 * check: -n 2: deadlock error STUCK
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 7, first, second, *window;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    first = 1 - rank;
    second = 1 - first;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, first, 0, win);
    MPI_Put(&value, 1, MPI_INT, first, rank, 1, MPI_INT, win);
    MPI_Win_flush(first, win);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, second, 0, win); /* STUCK */
    MPI_Put(&value, 1, MPI_INT, second, rank, 1, MPI_INT, win);
    MPI_Win_unlock(second, win);
    MPI_Win_unlock(first, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
