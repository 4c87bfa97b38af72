/*
 * A null pointer for a status is MPI_STATUS_IGNORE in Open MPI; in MPICH it is an error, MPI_ERR_ARG, and not a place to
 * write to.
 *
 * check: -n 2: invalid-argument error HERE
 * runs: -n 2: 1, merged 1
 * check: -n 2 -- ignore: none
 * runs: -n 2 -- ignore: 1, merged 1
 * mpi: mpich
 */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, v = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(&v, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, argc > 1 ? MPI_STATUS_IGNORE : NULL); /* HERE */
    MPI_Finalize();
    return 0;
}
