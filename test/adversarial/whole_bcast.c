/*
 * A broadcast that waits for all its members is enough for this deadlock: rank 1 sends before it joins, and rank 2
 * receives after.  So it is an error, as it is if the send is not buffered, whatever other collectives do.  In the twin
 * the message is received before the broadcast.
 *
 * check: -n 3: buffering-deadlock error SEND
 * runs: -n 3: 1, merged 1
 * check: -n 3 --buffering=zero: none
 * runs: -n 3 --buffering=zero: 1, merged 1
 * check: -n 3 -- before: none
 * runs: -n 3 -- before: 1, merged 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, word;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD); /* SEND */
    if (rank == 2 && argc > 1)
        MPI_Recv(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 2 && argc == 1)
        MPI_Recv(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
