/*
 * A persistent request is waited for and never started.  To wait before the first
 * start, as loops with two buffers do, is fine.
 *
 * check: -n 1 -- wrong: request-state warning HERE
 * check: -n 1: none
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int in, out = 1;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Recv_init(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    for (int i = 0; i < 3; i++) {
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* HERE */
        if (argc == 1) {
            MPI_Start(&request);
            MPI_Send(&out, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        }
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
