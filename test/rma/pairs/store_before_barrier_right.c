/*
 * The owner stores, calls MPI_Win_sync, a barrier tells so, and the other rank gets (MPI-4.0, 12.7, rule 5).
 *
 * check: -n 2: none
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, got = 0, *window;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 1)
        window[0] = 5;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Get(&got, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return rank == 0 && got != 5;
}
