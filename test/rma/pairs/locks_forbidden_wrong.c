/*
 * The info key no_locks says that the window is not locked, and it is (MPI-4.0, 12.2.1).
 *
 * check: -n 2: rma-assert error HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 7, *window;
    MPI_Info info;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Info_create(&info);
    MPI_Info_set(info, "no_locks", "true");
    MPI_Win_allocate(4 * sizeof *window, sizeof *window, info, MPI_COMM_WORLD, &window, &win);
    MPI_Info_free(&info);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win); /* HERE */
    MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    MPI_Win_unlock(1, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
