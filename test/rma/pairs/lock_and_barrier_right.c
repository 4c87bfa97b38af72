/*
 * A rank gives its exclusive lock back before the barrier (MPI-4.0, 12.5.3).
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
    if (rank < 2) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, win);
        MPI_Put(&value, 1, MPI_INT, 2, rank, 1, MPI_INT, win);
        MPI_Win_flush(2, win);
        MPI_Win_unlock(2, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
