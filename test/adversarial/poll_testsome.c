/*
 * Rank 0 asks 60 times for some of its messages and aborts if there was none: that may be.  With `right` it waits.
 *
 * check: -n 3: abort error ABORT
 * check: -n 3: portability note ASKS
 * runs: -n 3: 7, merged 2
 * check: -n 3 -- right: none
 * runs: -n 3 -- right: 7, merged 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value[2], index[2], n = 0;
    MPI_Request request[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        for (int i = 0; i < 2; i++)
            MPI_Irecv(&value[i], 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &request[i]);
        for (int i = 0; i < 60 && n == 0; i++)
            MPI_Testsome(2, request, &n, index, MPI_STATUSES_IGNORE); /* ASKS */
        if (n == 0 && argc == 1)
            MPI_Abort(MPI_COMM_WORLD, 5); /* ABORT */
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
