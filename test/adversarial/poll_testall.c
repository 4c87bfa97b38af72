/*
 * Rank 0 asks 30 times whether both messages are there, and leaves the requests behind when it gives up.  With `right` it
 * waits for them.
 *
 * check: -n 2: request-leak error LEFT
 * runs: -n 2: 3, merged 2
 * check: -n 2 -- right: none
 * runs: -n 2 -- right: 3, merged 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value[2], done = 0;
    MPI_Request request[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        for (int i = 0; i < 2; i++)
            MPI_Send(&rank, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
    } else {
        for (int i = 0; i < 2; i++)
            MPI_Irecv(&value[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &request[i]); /* LEFT */
        for (int i = 0; i < 30 && !done; i++)
            MPI_Testall(2, request, &done, MPI_STATUSES_IGNORE);
        if (!done && argc == 2)
            MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
