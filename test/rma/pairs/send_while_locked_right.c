/*
 * A rank sends when it has given back the lock that the receiver wants (MPI-4.0, 3.4).
 *
 * check: -n 3: none
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 7, *window;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    if (rank < 2) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, win);
        MPI_Put(&value, 1, MPI_INT, 2, rank, 1, MPI_INT, win);
        MPI_Win_unlock(2, win);
        if (rank == 0)
            MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        if (rank == 1)
            MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
