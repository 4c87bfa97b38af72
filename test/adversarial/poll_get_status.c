/*
 * Rank 0 looks 64 times whether its request is complete, without ending it; then it takes for granted that rank 1 has asked
 * for help, and waits for that.  With `right` it only waits for the request.
 *
 * check: -n 2: deadlock error WAITS
 * check: -n 2: portability note ASKS
 * runs: -n 2: 3, merged 2
 * check: -n 2 -- right: none
 * runs: -n 2 -- right: 3, merged 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, complete = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        for (int i = 0; i < 64 && !complete; i++)
            MPI_Request_get_status(request, &complete, MPI_STATUS_IGNORE); /* ASKS */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (!complete && argc == 1)
            MPI_Recv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* WAITS */
    }
    MPI_Finalize();
    return 0;
}
