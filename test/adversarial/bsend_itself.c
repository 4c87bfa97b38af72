/*
 * A rank sends to itself from its buffer.  When it has received, it knows that there is room; a receive that is
 * only posted is not enough.
 *
 * check: -n 1 -- received: none
 * runs: -n 1 -- received: 1, merged 1
 * check: -n 1 -- posted: insufficient-buffer error SECOND
 * runs: -n 1 -- posted: 1, merged 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int value = 7, got, more, size = sizeof value + MPI_BSEND_OVERHEAD;
    char *buffer = malloc(size);
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Buffer_attach(buffer, size);
    MPI_Irecv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Bsend(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (argv[1][0] == 'r')
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Bsend(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD); /* SECOND */
    if (argv[1][0] == 'p')
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Recv(&more, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&buffer, &size);
    free(buffer);
    MPI_Finalize();
    return 0;
}
