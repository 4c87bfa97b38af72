/*
 * A rank has an exclusive lock with MPI_MODE_NOCHECK and then sets a flag; who sees the flag locks the window, too (MPI-4.0,
 * 12.5.5).
 *
 * check: -n 3: none
 */
#include <stddef.h>

#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, one = 1, told = 0, *window, *flag;
    MPI_Win win, flags;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    MPI_Win_allocate(sizeof *flag, sizeof *flag, MPI_INFO_NULL, MPI_COMM_WORLD, &flag, &flags);
    MPI_Win_lock_all(0, flags);
    *flag = 0;
    MPI_Win_sync(flags);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, MPI_MODE_NOCHECK, win);
        MPI_Put(&one, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
        MPI_Win_unlock(2, win);
        MPI_Accumulate(&one, 1, MPI_INT, 2, 0, 1, MPI_INT, MPI_SUM, flags);
        MPI_Win_flush(2, flags);
    }
    if (rank == 1) {
        MPI_Fetch_and_op(NULL, &told, MPI_INT, 2, 0, MPI_NO_OP, flags);
        MPI_Win_flush(2, flags);
        if (told) {
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, win);
            MPI_Put(&one, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
            MPI_Win_unlock(2, win);
        }
    }
    MPI_Win_unlock_all(flags);
    MPI_Win_free(&flags);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
