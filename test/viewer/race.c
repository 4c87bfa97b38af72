/* Rank 0 takes results from anybody, then asks the wrong rank for a report if rank 2 came first. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, v = 0;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 0; i < 2; i++)
            MPI_Recv(&v, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status); /* ANY */
        MPI_Recv(&v, 1, MPI_INT, status.MPI_SOURCE, 2, MPI_COMM_WORLD, &status); /* STUCK */
    } else {
        MPI_Send(&v, 1, MPI_INT, 0, 1, MPI_COMM_WORLD); /* RESULT */
        if (rank == 2)
            MPI_Send(&v, 1, MPI_INT, 0, 2, MPI_COMM_WORLD); /* REPORT */
    }
    MPI_Finalize();
    return 0;
}
