/*
 * Both ranks put to one place under MPI_Win_lock_all, which is a shared lock (MPI-4.0, 12.5.3).
 *
 * check: -n 2: rma-race error FIRST
 * race: -n 2: FIRST FIRST
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 7, *window;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    MPI_Win_lock_all(0, win);
    MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* FIRST */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
