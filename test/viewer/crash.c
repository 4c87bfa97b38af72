/* Rank 0 crashes, in a function, if rank 2 comes first. */
#include <mpi.h>

static volatile int *table;

static void store(int source)
{
    if (source == 2)
        table[source] = 1; /* CRASH */
}

int main(int argc, char **argv)
{
    int rank, v = 0;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&v, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        store(status.MPI_SOURCE); /* CALLER */
        MPI_Recv(&v, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    } else {
        MPI_Send(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
