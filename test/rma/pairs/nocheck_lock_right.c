/*
 * Two ranks take an exclusive lock with MPI_MODE_NOCHECK one after the other, with a barrier between (MPI-4.0,
 * 12.5.5).
 *
 * check: -n 3: none
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 7, *window;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    for (int i = 0; i < 2; i++) {
        if (rank == i) {
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, MPI_MODE_NOCHECK, win);
            MPI_Put(&value, 1, MPI_INT, 2, rank, 1, MPI_INT, win);
            MPI_Win_unlock(2, win);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
