/*
 * As same, with messages that can be told apart: what the receiver does with them leaves their numbers below its stack, where the frames of
 * the next call will be, which have gaps.  What is told of a history is the call, and what MPI_Test has said.
 *
 * images: -n 3: 10
 */
#include <mpi.h>
#include <string.h>

/* All below the caller's stack is this number for a while. */
static __attribute__((noinline)) void litter(int number)
{
    volatile char below[4096];

    memset((char *)below, number, sizeof below);
    __asm__ volatile("" : : "r"(below) : "memory");
}

static void hear(MPI_Request *request, int *number)
{
    int done;

    MPI_Irecv(number, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, request);
    MPI_Wait(request, MPI_STATUS_IGNORE);
    litter(*number);
    *number = 0;
    MPI_Issend(number, 1, MPI_INT, 0, 1, MPI_COMM_SELF, request);
    MPI_Recv(number, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Test(request, &done, MPI_STATUS_IGNORE);
    MPI_Wait(request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Request request;
    int rank, size, number;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank > 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    for (int i = 1; i < size && rank == 0; i++)
        hear(&request, &number);
    MPI_Finalize();
    return 0;
}
