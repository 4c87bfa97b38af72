/*
 * Rank 1 receives nothing before the barrier, so rank 0 takes it for granted that its cancel succeeds: it may fail.  The
 * twin tells rank 1 how it came out.
 *
 * check: -n 2 -- assumes: abort error ABORT
 * runs: -n 2 -- assumes: 2, merged 2
 * check: -n 2 -- tells: none
 * runs: -n 2 -- tells: 2, merged 1
 * check: -n 2 --buffering=zero -- assumes: none
 * runs: -n 2 --buffering=zero -- assumes: 1, merged 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 7, cancelled = 0, assumes = argv[1][0] == 'a';
    MPI_Request request;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Cancel(&request);
        MPI_Wait(&request, &status);
        MPI_Test_cancelled(&status, &cancelled);
        if (assumes && !cancelled)
            MPI_Abort(MPI_COMM_WORLD, 1); /* ABORT */
    }
    MPI_Bcast(&cancelled, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1 && !assumes && !cancelled)
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
