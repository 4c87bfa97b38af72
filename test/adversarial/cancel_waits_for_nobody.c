/*
 * The wait for a send that was cancelled needs nobody, whatever is buffered (MPI: Probe and Cancel): rank 1 goes on only
 * when rank 0 has waited.  A wait without a cancel is held up if the send is not buffered.
 *
 * check: -n 2 -- cancel: none
 * runs: -n 2 -- cancel: 2, merged 1
 * check: -n 2 --buffering=zero -- cancel: none
 * runs: -n 2 --buffering=zero -- cancel: 1, merged 1
 * check: -n 2 -- wait: buffering-deadlock error WAIT
 * runs: -n 2 -- wait: 1, merged 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 7, cancelled = 0;
    MPI_Request request;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        if (argv[1][0] == 'c')
            MPI_Cancel(&request);
        MPI_Wait(&request, &status); /* WAIT */
        MPI_Test_cancelled(&status, &cancelled);
        MPI_Ssend(&cancelled, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&cancelled, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (!cancelled)
            MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
