/* What the programs of the figures have in common: a rank, and calls without what does not matter. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int rank, number;

static void begin(void)
{
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
}

__attribute__((unused)) static void send_to(int to)
{
    MPI_Send(&rank, 1, MPI_INT, to, 5, MPI_COMM_WORLD);
}

__attribute__((unused)) static int recv_from(int from)
{
    MPI_Status status;
    MPI_Recv(&number, 1, MPI_INT, from, 5, MPI_COMM_WORLD, &status);
    return status.MPI_SOURCE;
}
