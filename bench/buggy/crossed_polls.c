/* Who polls and finds nothing goes on without; if two neighbours do, each waits for the other. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, value = 0, flag = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int partner = rank ^ 1;
    if (partner < size) {
        MPI_Request request;
        MPI_Isend(&rank, 1, MPI_INT, partner, 0, MPI_COMM_WORLD, &request);
        MPI_Iprobe(partner, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (!flag) { /* asks once more, and answers only those who did not */
            MPI_Recv(&value, 1, MPI_INT, partner, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Send(&rank, 1, MPI_INT, partner, 1, MPI_COMM_WORLD);
            MPI_Recv(&value, 1, MPI_INT, partner, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    MPI_Finalize();
    return 0;
}
