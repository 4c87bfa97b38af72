/*
 * One rank says by the info key no_locks that the window is not locked, and another one locks it (MPI-4.0, 12.2.1).
 *
 * check: -n 2: rma-assert error HERE
 */
#include <mpi.h>

static int window[4];

int main(int argc, char **argv)
{
    int rank, value = 7;
    MPI_Info info;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Info_create(&info);
    if (rank == 0)
        MPI_Info_set(info, "no_locks", "true");
    MPI_Win_create(window, sizeof window, sizeof *window, info, MPI_COMM_WORLD, &win);
    MPI_Info_free(&info);
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win); /* HERE */
        MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
