/*
 * Rank 1 cancels what it sends, and if that comes in time, sends something else.  Rank 0 looks first, waiting for
 * something to see or not, and then receives: not always what it has seen.
 *
 * explore: -n 2 infinite -- look: runs 4 clean 4
 * explore: -n 2 any -- look: runs 4 clean 4
 * explore: -n 2 any -- wait: runs 3 clean 3
 */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, flag, value = 7;
    MPI_Request request;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Issend(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Cancel(&request);
        MPI_Wait(&request, &status);
        MPI_Test_cancelled(&status, &flag);
        if (flag)
            MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    } else {
        if (argc > 1 && strcmp(argv[1], "look") == 0)
            MPI_Iprobe(1, 0, MPI_COMM_WORLD, &flag, &status);
        else
            MPI_Probe(1, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Recv(&value, 1, MPI_INT, 1, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    }
    MPI_Finalize();
    return 0;
}
