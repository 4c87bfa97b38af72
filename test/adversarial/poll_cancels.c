/*
 * Rank 0 asks 300 times and then cancels its receive: the message, if there is one, is lost.  With `right` it looks whether the cancel
 * came in time, and receives the message if it did.
 *
 * check: -n 2: lost-message warning SENT
 * check: -n 2: buffering-deadlock error SENT
 * runs: -n 2: 4, merged 2
 * check: -n 2 -- right: none
 * runs: -n 2 -- right: 4, merged 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, done = 0, cancelled = 0;
    MPI_Request request;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* SENT */
    } else {
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        for (int i = 0; i < 300 && !done; i++)
            MPI_Test(&request, &done, MPI_STATUS_IGNORE); /* ASKS */
        if (!done) {
            MPI_Cancel(&request);
            MPI_Wait(&request, &status);
            MPI_Test_cancelled(&status, &cancelled);
        }
        if (cancelled && argc == 2)
            MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
