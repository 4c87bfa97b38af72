/*
 * Two ranks take the locks of two others, each in another order.  Without accesses, MPI_Win_lock may return before the lock is
 * granted, and then nobody waits; but it may also wait, with the first lock held (MPI-4.0, 12.5.3).
 *
 * check: -n 4: buffering-deadlock error STUCK
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *window;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    if (rank < 2) {
        int first = 2 + rank, second = 5 - first;

        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, first, 0, win);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, second, 0, win); /* STUCK */
        MPI_Win_unlock(second, win);
        MPI_Win_unlock(first, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
