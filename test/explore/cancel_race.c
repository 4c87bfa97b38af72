/*
 * A receive is cancelled while its message may be on the way: it is withdrawn, or it has the
 * message already.  Then the message is received by another one, or not.
 *
 * explore: -n 2 infinite: runs 2 clean 2
 * explore: -n 2 zero: runs 2 clean 2
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, cancelled, value = 7;
    MPI_Request request;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Cancel(&request);
        MPI_Wait(&request, &status);
        MPI_Test_cancelled(&status, &cancelled);
        if (cancelled)
            MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
