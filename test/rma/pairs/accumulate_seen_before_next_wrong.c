/*
 * A rank waits for a message that comes only when what it accumulates after that was seen, in a window whose accumulates it
 * has said need not be ordered: it waits for ever (MPI-4.0, 12.7.3).
 *
 * check: -n 2: livelock error HERE
 */
#include <stddef.h>

#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 1, seen = 0, *window;
    MPI_Info info;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Info_create(&info);
    MPI_Info_set(info, "accumulate_ordering", "none");
    MPI_Win_allocate(sizeof *window, sizeof *window, info, MPI_COMM_WORLD, &window, &win);
    MPI_Info_free(&info);
    MPI_Win_lock_all(0, win);
    window[0] = 0;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Accumulate(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Recv(&seen, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
        seen = 2;
        MPI_Accumulate(&seen, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE, win);
    } else {
        while (seen != 2) {
            MPI_Fetch_and_op(NULL, &seen, MPI_INT, 1, 0, MPI_NO_OP, win);
            MPI_Win_flush(1, win);
        }
        MPI_Send(&seen, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
