/*
 * Rank 0 asks 100 times.  If the message comes with the last of these, it thinks that it has given up, and waits for a
 * message that nobody sends.  With `right` it goes by what it was told.
 *
 * check: -n 2: deadlock error WAITS
 * runs: -n 2: 3, merged 2
 * check: -n 2 -- right: none
 * runs: -n 2 -- right: 3, merged 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, done = 0, i;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        for (i = 0; i < 100 && !done; i++)
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (!done)
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        else if (argc == 1 && i == 100)
            MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* WAITS */
    }
    MPI_Finalize();
    return 0;
}
