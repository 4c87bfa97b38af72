/*
 * Rank 0 asks 50 times for one message, then 50 times for another one, and gives up: nothing is done in between.  Whoever gives
 * up twice divides by zero.  With `right` nobody does.
 *
 * check: -n 2: crash error CRASH
 * check: -n 2: portability note ASKS
 * runs: -n 2: 9, merged 2
 * check: -n 2 -- right: none
 * runs: -n 2 -- right: 9, merged 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value[2] = {0}, done[2] = {0}, result = 0;
    MPI_Request request[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        for (int i = 0; i < 2; i++)
            MPI_Send(&rank, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
    } else {
        for (int k = 0; k < 2; k++)
            MPI_Irecv(&value[k], 1, MPI_INT, 1, k, MPI_COMM_WORLD, &request[k]);
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < 50 && !done[k]; i++)
                MPI_Test(&request[k], &done[k], MPI_STATUS_IGNORE); /* ASKS */
        if (argc == 1)
            result = 6 / (done[0] + done[1]); /* CRASH */
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    }
    MPI_Finalize();
    return result == 77;
}
