/*
 * A rank that holds a lock waits for a message that another one sends when it has had that lock.  That one makes no accesses, so
 * MPI_Win_lock and MPI_Win_unlock need not wait for the lock there, but may (MPI-4.0, 12.5.3).
 *
 * check: -n 3: buffering-deadlock error STUCK
 */
#include <stddef.h>

#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *window;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    if (rank < 2)
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, win); /* STUCK */
    if (rank == 0)
        MPI_Recv(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank < 2)
        MPI_Win_unlock(2, win);
    if (rank == 1)
        MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
