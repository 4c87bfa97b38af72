/*
 * A rank replaces a value twice and reads it back.  The window orders writes, and reads after them, and nothing
 * else is relied on (MPI-4.0, 12.7.2).
 *
 * check: -n 2: none
 * runs: -n 2: 1, merged 1
 */
#include <stddef.h>

#include <mpi.h>

static int back = -1;

int main(int argc, char **argv)
{
    int rank, first = 1, second = 2, *window;
    MPI_Info info;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Info_create(&info);
    MPI_Info_set(info, "accumulate_ordering", "raw,waw");
    MPI_Win_allocate(sizeof *window, sizeof *window, info, MPI_COMM_WORLD, &window, &win);
    MPI_Info_free(&info);
    MPI_Win_lock_all(0, win);
    window[0] = 0;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Accumulate(&first, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Accumulate(&second, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Fetch_and_op(NULL, &back, MPI_INT, 1, 0, MPI_NO_OP, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return rank == 0 && back != 2;
}
