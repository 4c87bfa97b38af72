/*
 * Rank 0 looks for a message 100 times and then does without it: the message is lost.  With `right` it receives it.
 *
 * check: -n 2: lost-message warning SENT
 * check: -n 2: buffering-deadlock error SENT
 * runs: -n 2: 3, merged 2
 * check: -n 2 -- right: none
 * runs: -n 2 -- right: 3, merged 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, seen = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* SENT */
    } else {
        for (int i = 0; i < 100 && !seen; i++)
            MPI_Iprobe(1, 0, MPI_COMM_WORLD, &seen, MPI_STATUS_IGNORE); /* ASKS */
        if (seen || argc == 2)
            MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
