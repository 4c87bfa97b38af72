/*
 * Whom rank 0 listens to next depends on who came first, so it never waits in vain;
 * with the same calls in another order it would.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        MPI_Recv(&x, 1, MPI_INT, status.MPI_SOURCE == 1 ? 2 : 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* NEXT */
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
