/*
 * After a cancel, and a message behind it, the receiver looks whether there is anything: there may be, and then it is to be
 * received.  Who looks and does not receive loses it.
 *
 * check: -n 2 -- receives: none
 * runs: -n 2 -- receives: 3, merged 2
 * check: -n 2 -- looks: lost-message warning SEND
 * runs: -n 2 -- looks: 3, merged 2
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 7, cancelled, flag = 0;
    MPI_Request request;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* SEND */
        MPI_Cancel(&request);
        MPI_Wait(&request, &status);
        MPI_Test_cancelled(&status, &cancelled);
        MPI_Send(&cancelled, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&cancelled, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Iprobe(0, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        if (flag && cancelled)
            MPI_Abort(MPI_COMM_WORLD, 1);
        if (!cancelled && argv[1][0] == 'r')
            MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
