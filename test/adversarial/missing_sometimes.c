/*
 * Whether rank 2 calls the gather depends on which message it took first: missing in one of two runs.
 *
 * check: -n 3 --buffering=infinite: collective-missing error GATHER
 * runs: -n 3 --buffering=infinite: 2, merged 2
 * check: -n 3: collective-missing error GATHER
 * runs: -n 3: 2, merged 2
 * check: -n 3 -- always: none
 * runs: -n 3 -- always: 2, merged 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, first = 0, second, all[3];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank < 2) {
        MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* RECV */
        MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (rank < 2 || first == 0 || argc > 1)
        MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, 2, MPI_COMM_WORLD); /* GATHER */
    MPI_Finalize();
    return 0;
}
