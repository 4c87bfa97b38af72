/*
 * Of two MPI_Rget_accumulate the result of the second is used after waiting for the first (MPI-4.0, 12.3.5).
 *
 * check: -n 2: rma-race error FIRST
 * race: -n 2: FIRST SECOND
 */
#include <mpi.h>

static volatile int seen;

int main(int argc, char **argv)
{
    int rank, one = 1, old[2] = {9, 9}, *window;
    MPI_Request request[2];
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    MPI_Win_lock_all(0, win);
    window[0] = window[1] = 7;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Rget_accumulate(&one, 1, MPI_INT, old, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win, request);
        MPI_Rget_accumulate(&one, 1, MPI_INT, old + 1, 1, MPI_INT, 1, 1, 1, MPI_INT, MPI_SUM, win, request + 1); /* FIRST */
        MPI_Wait(request, MPI_STATUS_IGNORE);
        seen = old[1]; /* SECOND */
        MPI_Wait(request + 1, MPI_STATUS_IGNORE);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
