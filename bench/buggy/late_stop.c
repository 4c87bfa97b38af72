/* A master stops its workers when it has heard of as many results as there are tasks, and forgets one that is still to come. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, value = 0, stop = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        MPI_Status status;
        for (int got = 0; got < size - 1; got++) {
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            if (status.MPI_SOURCE == size - 1 && got == 0) /* the last one was the fastest: it is asked for more */
                MPI_Send(&value, 1, MPI_INT, size - 1, 1, MPI_COMM_WORLD);
        }
        for (int r = 1; r < size; r++)
            MPI_Send(&stop, 1, MPI_INT, r, 0, MPI_COMM_WORLD);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
