/*
 * A round of two polls, thirty times: for a word to stop, and for a message.  When it gives up, rank 0
 * waits for the message twice.  With `right` it waits once.
 *
 * check: -n 2: deadlock error WAITS
 * check: -n 2: portability note ASKS
 * runs: -n 2: 3, merged 2
 * check: -n 2 -- right: none
 * runs: -n 2 -- right: 3, merged 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, stop = 0, done = 0;
    MPI_Request receive, send;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &receive);
        MPI_Issend(&rank, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &send);
        for (int i = 0; i < 30 && !done; i++) {
            MPI_Iprobe(1, 9, MPI_COMM_WORLD, &stop, MPI_STATUS_IGNORE);
            MPI_Test(&receive, &done, MPI_STATUS_IGNORE); /* ASKS */
        }
        MPI_Wait(&send, MPI_STATUS_IGNORE);
        if (!done)
            MPI_Wait(&receive, MPI_STATUS_IGNORE);
        if (!done && argc == 1)
            MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* WAITS */
    }
    MPI_Finalize();
    return 0;
}
