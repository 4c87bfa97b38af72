/* Everybody sends to its right neighbour and then receives, save one pair that has it the other way round for large messages. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    enum { N = 100000 };
    int rank, size, who = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *out = calloc(N, sizeof *out), *in = calloc(N, sizeof *in);
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    MPI_Send(out, N, MPI_INT, right, 0, MPI_COMM_WORLD);
    MPI_Recv(in, N, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0)
        for (int i = 1; i < size; i++)
            MPI_Recv(&who, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}
