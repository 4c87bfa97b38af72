/*
 * A receive from any source, two senders, one of whom cancels.  What it takes is open: the cancelled message if that
 * could not be withdrawn, or the other one.  Rank 0 asks rank 1 how many are left, and receives them.
 *
 * check: -n 3 -- right: none
 * runs: -n 3 -- right: 3, merged 2
 * check: -n 3 -- wrong: deadlock error SECOND
 * runs: -n 3 -- wrong: 3, merged 2
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 7, cancelled;
    MPI_Request request;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Isend(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Cancel(&request);
        MPI_Wait(&request, &status);
        MPI_Test_cancelled(&status, &cancelled);
        MPI_Send(&cancelled, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    } else if (rank == 2) {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&cancelled, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (!cancelled || argv[1][0] == 'w')
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* SECOND */
    }
    MPI_Finalize();
    return 0;
}
