/*
 * Rank 0 asks at most twelve times, and each of these is looked at: if the message comes with the seventh, it divides by zero.
 * With `right` it does not.
 *
 * check: -n 2: crash error CRASH
 * check: -n 2: portability note ASKS
 * runs: -n 2: 13, merged 2
 * check: -n 2 -- right: none
 * runs: -n 2 -- right: 13, merged 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, done = 0, asked = 0, result = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        for (; asked < 12 && !done; asked++)
            MPI_Test(&request, &done, MPI_STATUS_IGNORE); /* ASKS */
        if (argc == 1)
            result = 6 / (asked - 7); /* CRASH */
        if (!done)
            MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return result == 77;
}
