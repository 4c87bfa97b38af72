/*
 * Rank 0 turns a wheel with eight marks while it asks: after eight rounds it is where it was, so it never gives up.  The
 * mark on which it stops decides what it does: on the sixth it waits for a message that nobody sends.  With `right` it does not.
 *
 * check: -n 2: deadlock error WAITS
 * check: -n 2: portability note ASKS
 * runs: -n 2: merged 2
 * check: -n 2 -- right: none
 * runs: -n 2 -- right: merged 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, done = 0, wheel = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        do {
            MPI_Test(&request, &done, MPI_STATUS_IGNORE); /* ASKS */
            wheel = (wheel + 1) % 8;
        } while (!done);
        if (argc == 1 && wheel == 6)
            MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* WAITS */
    }
    MPI_Finalize();
    return 0;
}
