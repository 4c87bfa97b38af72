/*
 * Rank 0 passes a reduction of no elements before rank 1 has come, so its message may be the first that rank 2 takes.
 * With elements it cannot.  And if the reduction waits for all after all, rank 1 may be stuck in its send, but only where it
 * lets rank 0 go and holds rank 2.
 *
 * check: -n 3 --buffering=infinite: abort error ABORT
 * check: -n 3 --buffering=infinite: portability note CALL
 * runs: -n 3 --buffering=infinite: 2, merged 2
 * check: -n 3 --buffering=infinite -- full: none
 * runs: -n 3 --buffering=infinite -- full: 1, merged 1
 * check: -n 3 -- full: none
 * runs: -n 3 -- full: 1, merged 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, sum, word, count = argc > 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    if (rank == 2) {
        MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (word == 0)
            MPI_Abort(MPI_COMM_WORLD, 3); /* ABORT */
    }
    MPI_Allreduce(&value, &sum, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* CALL */
    if (rank == 0)
        MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    if (rank == 2)
        MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
