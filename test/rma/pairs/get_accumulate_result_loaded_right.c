/*
 * The result of MPI_Get_accumulate is used after a flush (MPI-4.0, 12.3.4 and 12.5.4).
 *
 * check: -n 2: none
 */
#include <mpi.h>

static volatile int seen;

int main(int argc, char **argv)
{
    int rank, one = 1, old = 0, *window;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    MPI_Win_lock_all(0, win);
    window[0] = 7;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Get_accumulate(&one, 1, MPI_INT, &old, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win);
        MPI_Win_flush_local(1, win);
        seen = old;
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return rank == 0 && seen != 7;
}
