/*
 * A persistent request that was used and is not freed, and a request that was
 * cancelled and is not waited for.
 *
 * check: -n 1 -- wrong: request-leak warning HERE
 * check: -n 1 -- wrong: request-leak warning CANCELLED
 * check: -n 1: none
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int in, out = 1;
    MPI_Request request[2];
    MPI_Init(&argc, &argv);
    MPI_Send_init(&out, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Recv_init(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request[1]); /* HERE */
    for (int i = 0; i < 3; i++) {
        MPI_Startall(2, request);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&request[0]);
    MPI_Irecv(&in, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request[0]); /* CANCELLED */
    MPI_Cancel(&request[0]);
    if (argc == 1) {
        MPI_Wait(&request[0], MPI_STATUS_IGNORE);
        MPI_Request_free(&request[1]);
    }
    MPI_Finalize();
    return 0;
}
