/*
 * A rank receives what the other one has sent before that puts something into its window, and then looks at it until that is
 * there: the send need not wait any more (MPI-4.0, 3.4), and what was put comes (MPI-4.0, 12.7.3).
 *
 * check: -n 2: none
 * broken: mpich: 4.0 takes nothing in while it is in MPI_Win_sync, so it waits for ever
 */
#include <stddef.h>

#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, one = 1, *window;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    MPI_Win_lock_all(0, win);
    *window = 0;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Win_flush(0, win);
    } else {
        MPI_Recv(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        while (!*(volatile int *)window)
            MPI_Win_sync(win);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
