/*
 * A synchronous send carries causality back to its sender ([Vo 2011], 5.2.1).
 * Rank 3 sends only after rank 2's message was taken, so rank 0 hears of 1, 2 and 3
 * in the three orders where 3 comes after 2, whatever is buffered.
 *
 * explore: -n 4 infinite: runs 3 clean 3
 * explore: -n 4 zero: runs 3 clean 3
 * explore: -n 4 any: runs 3 clean 3
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    switch (rank) {
    case 0:
        MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        break;
    case 1:
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        break;
    case 2:
        MPI_Ssend(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(&value, 1, MPI_INT, 3, 0, MPI_COMM_WORLD);
        break;
    case 3:
        MPI_Recv(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        break;
    }
    MPI_Finalize();
    return 0;
}
