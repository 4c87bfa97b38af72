/*
 * A rank replaces a value and reads it back with MPI_NO_OP, in a window of which MPI_Win_set_info says only later that accumulates
 * need not be ordered (MPI-4.0, 12.2.7, 12.7.2).
 *
 * check: -n 2: none
 * runs: -n 2: 1, merged 1
 */
#include <stddef.h>

#include <mpi.h>

static int back = 7;

static void give_up(MPI_Win win)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "accumulate_ordering", "none");
    MPI_Win_set_info(win, info);
    MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    int rank, value = 7, *window;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    MPI_Win_lock_all(0, win);
    window[0] = 0;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Accumulate(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Fetch_and_op(NULL, &back, MPI_INT, 1, 0, MPI_NO_OP, win);
    }
    give_up(win);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return back != 7;
}
