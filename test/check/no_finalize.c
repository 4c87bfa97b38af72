/*
 * A rank that ends without MPI_Finalize.
 *
 * check: -n 2 -- wrong: no-finalize error -
 * check: -n 2: none
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1 && argc > 1)
        return 0;
    MPI_Finalize();
    return 0;
}
