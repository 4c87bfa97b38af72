/*
 * In the one run that is looked at, the short message is taken; the long one could have been.
 *
 * check: -n 3 --max-runs 1: truncation error LONG
 * check: -n 3: truncation error RECV
 * check: -n 3 -- right: none
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value[4] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(value, argc > 1 ? 3 : 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* RECV */
        MPI_Recv(value, 3, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Send(value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Send(value, 3, MPI_INT, 0, 0, MPI_COMM_WORLD); /* LONG */
    }
    MPI_Finalize();
    return 0;
}
