/*
 * Receives from any source before and after a broadcast: the standard's own example of a program that is correct and
 * not deterministic.  Only if the broadcast lets its root go, and holds rank 2 for rank 1, whose send is not
 * buffered, nobody goes on: MPI allows that, but neither does its data flow ask for it nor would a broadcast that waits
 * for all come to it.  In the twin rank 1 does not wait for its message to be taken.
 *
 * check: -n 3: mixed-synchronisation warning SEND
 * runs: -n 3: 2, merged 1
 * check: -n 3 --buffering=zero: none
 * runs: -n 3 --buffering=zero: 2, merged 1
 * check: -n 3 -- start: none
 * runs: -n 3 -- start: 2, merged 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, word;
    MPI_Request request = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1 && argc == 1)
        MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD); /* SEND */
    if (rank == 1 && argc > 1)
        MPI_Isend(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &request);
    if (rank == 2)
        MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    if (rank == 2)
        MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
