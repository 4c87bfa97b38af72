/*
 * A rank reads a value with a request, asks for a message, and replaces it when it has it, in a window whose accumulates it has said
 * need not be ordered (MPI-4.0, 12.3.5).
 *
 * check: -n 2: none
 */
#include <stddef.h>

#include <mpi.h>

static int back = -1;

int main(int argc, char **argv)
{
    int rank, flag, value = 7, *window;
    MPI_Info info;
    MPI_Request request;
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
        MPI_Rget_accumulate(NULL, 0, MPI_INT, &back, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_NO_OP, win, &request);
        MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Accumulate(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return rank == 0 && back != 0;
}
