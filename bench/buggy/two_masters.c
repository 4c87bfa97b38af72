/* Workers serve two masters; one that hears of both in the wrong order answers the same twice. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, value, first;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank < 2) {
        for (int r = 2; r < size; r++)
            MPI_Send(&rank, 1, MPI_INT, r, 0, MPI_COMM_WORLD);
        for (int r = 2; r < size; r++)
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
    } else {
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&rank, 1, MPI_INT, first, 1, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == size - 1 && first == 1)
            value = first;
        MPI_Send(&rank, 1, MPI_INT, value, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
