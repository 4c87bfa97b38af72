/*
 * A cancelled send whose request is freed: nobody ever knows how the cancel came out, so the receiver must be ready for
 * both, and cannot be: a message that it has seen may be withdrawn.  The twin asks how it came out, and tells.
 *
 * check: -n 2 -- looks: lost-message warning SEND
 * check: -n 2 -- looks: deadlock error RECV
 * runs: -n 2 -- looks: 4, merged 3
 * check: -n 2 -- waits: deadlock error RECV
 * runs: -n 2 -- waits: 2, merged 2
 * check: -n 2 -- told: none
 * runs: -n 2 -- told: 2, merged 2
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 7, flag = 1;
    MPI_Request request;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* SEND */
        MPI_Cancel(&request);
        if (argv[1][0] == 't') {
            MPI_Wait(&request, &status);
            MPI_Test_cancelled(&status, &flag);
            MPI_Send(&flag, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        } else {
            MPI_Request_free(&request);
        }
    } else {
        if (argv[1][0] == 't') {
            MPI_Recv(&flag, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            flag = !flag;
        }
        if (argv[1][0] == 'l')
            MPI_Iprobe(0, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        if (flag)
            MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* RECV */
    }
    MPI_Finalize();
    return 0;
}
