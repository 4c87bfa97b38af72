/*
 * The messages cannot be told apart, and who sent them is left in the status of the last one, which the next call fills in
 * anew: there is one state before each call.
 *
 * images: -n 3: 6
 */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, size, value = 7;
    MPI_Status status;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; rank > 0 && i < 3; i++)
        MPI_Send(&value, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
    for (int i = 1; rank == 0 && i < size; i++)
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    for (int i = 1; rank == 0 && i < size; i++) {
        MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, &status);
    }
    for (int i = 1; rank == 0 && i < size; i++)
        MPI_Sendrecv(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, &value, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &status);
    MPI_Finalize();
    return 0;
}
