/*
 * MPI_Win_set_info asks for some of the order of accumulates that the window was made without, but not for that of a read after a write, on
 * which a rank relies (MPI-4.0, 12.2.7, 12.7.2).
 *
 * check: -n 2: exit-code error -
 * runs: -n 2: merged 2
 */
#include <stddef.h>

#include <mpi.h>

static int back = 7;

static void ask_for_order(MPI_Win win, const char *orders)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "accumulate_ordering", orders);
    MPI_Win_set_info(win, info);
    MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    int rank, value = 7, *window;
    MPI_Info info;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Info_create(&info);
    MPI_Info_set(info, "accumulate_ordering", "none");
    MPI_Win_allocate(4 * sizeof *window, sizeof *window, info, MPI_COMM_WORLD, &window, &win);
    MPI_Info_free(&info);
    ask_for_order(win, "rar,war,waw");
    MPI_Win_lock_all(0, win);
    window[0] = 0;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Accumulate(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Fetch_and_op(NULL, &back, MPI_INT, 1, 0, MPI_NO_OP, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return back != 7;
}
