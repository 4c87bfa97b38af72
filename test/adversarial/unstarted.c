/*
 * Rank 0 forgets to start a persistent send, or receive, and waits for it, which returns at once.  That is why rank 1 never gets
 * its message: the deadlock comes with a warning about the wait.  To wait before the first start is fine.
 *
 * check: -n 2 -- send: deadlock error RECV
 * check: -n 2 -- send: request-state warning WAIT
 * runs: -n 2 -- send: 1, merged 1
 * check: -n 2 -- late: deadlock error RECV
 * runs: -n 2 -- late: 1, merged 1
 * check: -n 2 -- started: none
 * runs: -n 2 -- started: 1, merged 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 7;
    char how = argv[1][1];
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send_init(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* WAIT */
        if (how != 'e')
            MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, how == 'a', MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* RECV */
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
