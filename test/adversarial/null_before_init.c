/*
 * MPI_Initialized may be called at any time, but wants a place for its answer: before MPI_Init nobody can handle the error.
 *
 * check: -n 1: invalid-argument error HERE
 * runs: -n 1: 1, merged 1
 */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    MPI_Initialized(NULL); /* HERE */
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 0;
}
