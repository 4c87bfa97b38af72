/*
 * Two ranks in barriers on different communicators that both belong to.
 *
 * check: -n 2: collective-comm error OTHER
 * check: -n 2 -- right: none
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm copy;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    if (rank == 0 || argc > 1)
        MPI_Barrier(MPI_COMM_WORLD);
    else
        MPI_Barrier(copy); /* OTHER */
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
