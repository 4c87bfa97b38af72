/*
 * Two ranks, each with the shared lock of the other, send to each other before they receive (MPI-4.0, 3.4).
 *
 * check: -n 2: buffering-deadlock error STUCK
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
    MPI_Put(&value, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win);
    MPI_Send(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD); /* STUCK */
    MPI_Recv(&got, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Win_unlock(1 - rank, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
