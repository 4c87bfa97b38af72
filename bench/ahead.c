/*
 * Everybody sends to rank 0 in rounds and never waits; rank 0 takes from any source.  So senders run ahead of it, and how far
 * it has come with each of them is a state.
 * usage: ahead ROUNDS
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, value = 0, rounds = argc > 1 ? atoi(argv[1]) : 100;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < rounds; i++) {
        if (rank)
            MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        for (int sender = 1; !rank && sender < size; sender++)
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
