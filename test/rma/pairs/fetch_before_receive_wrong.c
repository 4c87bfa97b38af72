/*
 * A rank fetches from its window until the other one has put something there, and only then receives what that one has sent before: the send
 * may wait for the receive (MPI-4.0, 3.4), and then nothing is ever put.
 *
 * check: -n 2: buffering-deadlock error STUCK
 */
#include <stddef.h>

#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, one = 1, *window;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    MPI_Win_lock_all(0, win);
    *window = 0;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD); /* STUCK */
        MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Win_flush(0, win);
    } else {
        for (int got = 0; !got;) {
            MPI_Fetch_and_op(NULL, &got, MPI_INT, 0, 0, MPI_NO_OP, win);
            MPI_Win_flush(0, win);
        }
        MPI_Recv(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
