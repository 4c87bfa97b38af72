/*
 * A rank that ends with an exit code other than 0.
 *
 * check: -n 2 -- 1: exit-code error -
 * check: -n 2 -- 0: none
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Finalize();
    return rank == 1 ? atoi(argv[1]) : 0;
}
