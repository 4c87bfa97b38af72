/*
 * The owner stores to a window that MPI allocated while another rank puts there under a lock; the owner has none
 * (MPI-4.0, 12.5.3 and 12.7).
 *
 * check: -n 2: rma-race error FIRST
 * race: -n 2: FIRST SECOND
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 7, *window;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* FIRST */
        MPI_Win_unlock(1, win);
    } else {
        window[0] = 5; /* SECOND */
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
