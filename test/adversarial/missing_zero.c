/*
 * A reduction of no elements that rank 1 never calls: the others pass, with data they would wait for ever.
 *
 * check: -n 2: collective-missing error CALL
 * runs: -n 2: 1, merged 1
 * check: -n 2 -- full: deadlock error CALL
 * runs: -n 2 -- full: 1, merged 1
 * check: -n 2 -- full all: none
 * runs: -n 2 -- full all: 1, merged 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, sum;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 || argc > 2)
        MPI_Allreduce(&rank, &sum, argc > 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* CALL */
    MPI_Finalize();
    return 0;
}
