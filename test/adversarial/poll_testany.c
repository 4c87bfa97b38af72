/*
 * Rank 0 asks 40 times whether one of two messages is there, and takes a third one for granted when it gives up.  With `right`
 * it waits for the two.
 *
 * check: -n 3: deadlock error WAITS
 * check: -n 3: portability note ASKS
 * runs: -n 3: 5, merged 2
 * check: -n 3 -- right: none
 * runs: -n 3 -- right: 5, merged 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value[2], index, done = 0;
    MPI_Request request[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        for (int i = 0; i < 2; i++)
            MPI_Irecv(&value[i], 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &request[i]);
        for (int i = 0; i < 40 && !done; i++)
            MPI_Testany(2, request, &index, &done, MPI_STATUS_IGNORE); /* ASKS */
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        if (!done && argc == 1)
            MPI_Recv(value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* WAITS */
    }
    MPI_Finalize();
    return 0;
}
