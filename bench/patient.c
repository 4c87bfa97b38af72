/*
 * The last rank polls so many times in vain, then sends to all others, who poll for that and count how often they are told no.
 * usage: patient NOES
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, done = 0;
    long noes = 0, most;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (most = atol(argv[1]); !done && (rank < size - 1 || noes < most); noes += !done)
        MPI_Iprobe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &done, MPI_STATUS_IGNORE);
    for (int i = 0; i < size - 1 && rank == size - 1; i++)
        MPI_Send(&noes, 1, MPI_LONG, i, 7, MPI_COMM_WORLD);
    if (rank < size - 1)
        MPI_Recv(&noes, 1, MPI_LONG, size - 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return noes != most;
}
