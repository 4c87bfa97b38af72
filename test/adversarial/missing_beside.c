/*
 * A buffering deadlock stays one beside a broadcast that rank 2 never calls: head to head, ranks 0 and 1 send first.
 *
 * check: -n 3: buffering-deadlock error SEND
 * check: -n 3: collective-missing error BCAST
 * runs: -n 3: 1, merged 1
 * check: -n 3 --buffering=infinite: collective-missing error BCAST
 * runs: -n 3 --buffering=infinite: 1, merged 1
 * check: -n 3 --buffering=infinite -- all: none
 * runs: -n 3 --buffering=infinite -- all: 1, merged 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, word, value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank < 2 || argc > 1)
        MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD); /* BCAST */
    if (rank < 2) {
        MPI_Send(&rank, 1, MPI_INT, !rank, 0, MPI_COMM_WORLD); /* SEND */
        MPI_Recv(&word, 1, MPI_INT, !rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
