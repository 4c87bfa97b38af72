/*
 * A wildcard does not wait for a receive posted before it that names its source:
 * rank 1 sends only when the wildcard has been served.  Who orders the two in any
 * case sees a deadlock here; there is one run, and it is clean.
 *
 * explore: -n 3 infinite: runs 1 clean 1
 * explore: -n 3 zero: runs 1 clean 1
 * explore: -n 3 any: runs 1 clean 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, other;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    switch (rank) {
    case 0:
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Recv(&other, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&other, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        break;
    case 1:
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        break;
    case 2:
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        break;
    }
    MPI_Finalize();
    return 0;
}
