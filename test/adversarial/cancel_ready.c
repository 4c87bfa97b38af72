/*
 * A ready send to a receive that is posted is cancelled: it is received, or withdrawn, and then the receive has to be
 * cancelled, too.  Who waits for it waits for ever.
 *
 * check: -n 2 -- right: none
 * runs: -n 2 -- right: 2, merged 2
 * check: -n 2 -- wrong: deadlock error WAIT
 * runs: -n 2 -- wrong: 2, merged 2
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 7, cancelled;
    MPI_Request request;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Irsend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Cancel(&request);
        MPI_Wait(&request, &status);
        MPI_Test_cancelled(&status, &cancelled);
    }
    MPI_Bcast(&cancelled, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 1 && cancelled && argv[1][0] == 'r')
        MPI_Cancel(&request);
    if (rank == 1)
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* WAIT */
    MPI_Finalize();
    return 0;
}
