/*
 * A rank locks a window that its owner has posted and not yet waited for (MPI-4.0, 12.5.3: a window must not be locked
 * and exposed at a time).
 *
 * check: -n 3: rma-epoch error HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 7, *window;
    MPI_Group all, other;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    MPI_Win_get_group(win, &all);
    MPI_Group_incl(all, 1, &(int){rank == 0}, &other);
    if (rank == 1)
        MPI_Win_post(other, 0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win); /* HERE */
        MPI_Put(&value, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
        MPI_Win_unlock(1, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Win_start(other, 0, win);
        MPI_Win_complete(win);
    }
    if (rank == 1)
        MPI_Win_wait(win);
    MPI_Group_free(&all);
    MPI_Group_free(&other);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
