/*
 * A deadlock that needs MPI_Test to say no: then rank 0 waits for a second message.
 *
 * explore: -n 2 infinite: runs 2 clean 1 deadlock 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value, flag;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        if (!flag) {
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    MPI_Finalize();
    return 0;
}
