/*
 * Of a scatter with different counts, rank 1 takes a number and waits for the root, rank 2 takes none and passes.  So what
 * rank 2 sends may come before what the root sent before it.
 *
 * check: -n 3 --buffering=infinite: abort error ABORT
 * check: -n 3 --buffering=infinite: portability note CALL
 * runs: -n 3 --buffering=infinite: 2, merged 2
 * check: -n 3 --buffering=infinite -- full: none
 * runs: -n 3 --buffering=infinite -- full: 1, merged 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, data[3] = {0}, mine, word, counts[3] = {1, 1, argc > 1}, displs[3] = {0, 1, 2};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (word == 2)
            MPI_Abort(MPI_COMM_WORLD, 3); /* ABORT */
        MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    if (rank == 0) {
        MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(&word, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Scatterv(data, counts, displs, MPI_INT, &mine, counts[rank], MPI_INT, 0, MPI_COMM_WORLD); /* CALL */
    if (rank == 2)
        MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
