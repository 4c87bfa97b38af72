/*
 * MPI_Abort as the first thing: its line is told though no rank is left.
 *
 * check: -n 2: abort error ABORT
 * check: -n 2 -- right: none
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    if (argc == 1)
        MPI_Abort(MPI_COMM_WORLD, 3); /* ABORT */
    MPI_Finalize();
    return 0;
}
