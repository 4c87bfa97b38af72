/*
 * A rank puts twice to one place with MPI_Win_flush_local between: the first may still be under way to the target
 * (MPI-4.0, 12.5.4).
 *
 * check: -n 2: rma-race error FIRST
 * race: -n 2: FIRST SECOND
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 7, back = 0, *window;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* FIRST */
        MPI_Win_flush_local(1, win);
        value = 8;
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* SECOND */
        MPI_Win_flush(1, win);
        MPI_Get(&back, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_unlock(1, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
