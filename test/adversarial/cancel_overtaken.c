/*
 * Rank 0 cancels a message and sends another of the same envelope.  If the cancel fails, the first one is still in front of
 * the second, also for a receive that is posted long afterwards.  The twin sends the second with another tag.
 *
 * check: -n 2 -- same: crash error CRASH
 * runs: -n 2 -- same: 2, merged 2
 * check: -n 2 -- other: lost-message warning FIRST
 * runs: -n 2 -- other: 2, merged 2
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, first = 1, second = 2, got = 0, tag = argv[1][0] == 'o';
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isend(&first, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* FIRST */
        MPI_Cancel(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Isend(&second, 1, MPI_INT, 1, tag, MPI_COMM_WORLD, &request);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Recv(&got, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        got = 10 / (got - 1); /* CRASH */
    }
    MPI_Finalize();
    return 0;
}
