/*
 * MPI_Win_set_info asks for the order of accumulates that the window was made without.  A library may ignore that, so the rank asks
 * what has become of it, and flushes where it has no order to rely on (MPI-4.0, 12.2.7).
 *
 * check: -n 2: none
 * runs: -n 2: 1, merged 1
 */
#include <stddef.h>
#include <string.h>

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

static int reads_after_writes(MPI_Win win)
{
    MPI_Info info;
    char orders[64] = "";
    int flag;
    MPI_Win_get_info(win, &info);
    MPI_Info_get(info, "accumulate_ordering", sizeof orders - 1, orders, &flag);
    MPI_Info_free(&info);
    return flag && strstr(orders, "raw");
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
    ask_for_order(win, "rar,raw,war,waw");
    MPI_Win_lock_all(0, win);
    window[0] = 0;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Accumulate(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE, win);
        if (!reads_after_writes(win))
            MPI_Win_flush(1, win);
        MPI_Fetch_and_op(NULL, &back, MPI_INT, 1, 0, MPI_NO_OP, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return back != 7;
}
