/*
 * Who waits for data of a member that never calls is in a deadlock, and that is all that is said of it.
 *
 * check: -n 2: deadlock error CALL
 * runs: -n 2: 1, merged 1
 * check: -n 2 --buffering=infinite: deadlock error CALL
 * runs: -n 2 --buffering=infinite: 1, merged 1
 * check: -n 2 -- all: none
 * runs: -n 2 -- all: 1, merged 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 || argc > 1)
        MPI_Bcast(&value, 1, MPI_INT, 1, MPI_COMM_WORLD); /* CALL */
    MPI_Finalize();
    return 0;
}
