/*
 * The origin has unlocked and sent a message; the owner loads without any call for the window (MPI-4.0, 12.7, rule 6:
 * in the separate model its own lock is what makes the update visible).
 *
 * check: -n 2: portability note SECOND
 * race: -n 2: FIRST SECOND
 */
#include <stddef.h>

#include <mpi.h>

static volatile int seen;

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
        MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        seen = window[0]; /* SECOND */
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
