/*
 * A persistent request is started while it is active.
 *
 * check: -n 1 -- wrong: request-state error HERE
 * check: -n 1: none
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int in, out = 1;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Recv_init(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    for (int i = 0; i < 2; i++) {
        MPI_Start(&request); /* HERE */
        MPI_Send(&out, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        if (argc == 1)
            MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
