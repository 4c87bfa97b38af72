/*
 * Requests that nobody waits for; those of one line are one finding.  It does not
 * matter that the messages have arrived.
 *
 * check: -n 2 -- wrong: request-leak error HERE
 * check: -n 2: none
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, flag, value[3] = {0};
    MPI_Request request[3], gone;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3; i++) {
        if (rank == 0)
            MPI_Isend(&value[i], i < 2, MPI_INT, 1, i, MPI_COMM_WORLD, &request[i]); /* HERE */
        else
            MPI_Recv(&value[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (rank == 0 && argc == 1) {
        MPI_Wait(&request[0], MPI_STATUS_IGNORE);
        do
            MPI_Test(&request[1], &flag, MPI_STATUS_IGNORE);
        while (!flag);
        MPI_Request_free(&request[2]);
    }
    MPI_Isend(&rank, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &gone);
    MPI_Waitall(1, &gone, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
