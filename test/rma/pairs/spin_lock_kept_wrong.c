/*
 * A lock by compare and swap, with MPI_Iprobe between attempts, which one rank never gives back (MPI-4.0, 12.7.3, Progress).
 *
 * check: -n 3: livelock error HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *window, one = 1, zero = 0, before, flag;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    window[0] = 0;
    MPI_Win_lock_all(0, win);
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (;;) {
        MPI_Compare_and_swap(&one, &zero, &before, MPI_INT, 0, 0, win);
        MPI_Win_flush(0, win); /* HERE */
        if (before == 0)
            break;
        MPI_Iprobe(MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    }
    if (rank > 0)
        MPI_Accumulate(&zero, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_flush(0, win);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
