/*
 * MPI_Cart_create of more nodes than there are ranks, with MPI_ERRORS_RETURN: MPICH gives MPI_COMM_NULL, Open MPI leaves
 * the variable as it was.  A program that looks at what it got sees the same under tourney.
 *
 * check: -n 2: invalid-argument warning LARGE
 * check: -n 2: invalid-argument warning NEGATIVE
 * runs: -n 2: 1, merged 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    MPI_Comm grid = MPI_COMM_SELF, kept = MPI_COMM_SELF;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (MPI_Cart_create(MPI_COMM_WORLD, 1, (int[]){5}, (int[]){0}, 0, &grid) == MPI_SUCCESS) /* LARGE */
        abort();
#ifdef OPEN_MPI
    if (grid != MPI_COMM_SELF)
        abort();
#else
    if (grid != MPI_COMM_NULL)
        abort();
#endif
    if (MPI_Cart_create(MPI_COMM_WORLD, -1, (int[]){5}, (int[]){0}, 0, &kept) == MPI_SUCCESS) /* NEGATIVE */
        abort();
    if (kept != MPI_COMM_SELF)
        abort();
    MPI_Finalize();
    return 0;
}
