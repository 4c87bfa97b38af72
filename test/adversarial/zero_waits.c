/*
 * MPI may also wait for all where there is no data: then the send that is not buffered is never received.  Nobody is
 * stuck if collectives go by their data flow, or if messages are buffered.
 *
 * check: -n 2: buffering-deadlock error SEND
 * runs: -n 2: 1, merged 1
 * check: -n 2 --buffering=zero: none
 * runs: -n 2 --buffering=zero: 1, merged 1
 * check: -n 2 --buffering=infinite: none
 * runs: -n 2 --buffering=infinite: 1, merged 1
 * check: -n 2 --buffering=zero -- full: deadlock error SEND
 * runs: -n 2 --buffering=zero -- full: 1, merged 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, word = 0, sum;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* SEND */
    MPI_Allreduce(&word, &sum, argc > 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
