/*
 * The value that MPI_Compare_and_swap compares with is changed for the next try after a flush (MPI-4.0, 12.5.4).
 *
 * check: -n 2: none
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, old = 0, expected = 0, wanted = 1, *window;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    MPI_Win_lock_all(0, win);
    window[0] = 0;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Compare_and_swap(&wanted, &expected, &old, MPI_INT, 1, 0, win);
        MPI_Win_flush(1, win);
        expected = 1;
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return rank == 0 && (old != 0 || expected != 1);
}
