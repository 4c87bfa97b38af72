/*
 * Everybody thinks that it is the root.
 *
 * check: -n 2: collective-root error BCAST
 * check: -n 2 -- right: none
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Bcast(&value, 1, MPI_INT, argc > 1 ? 1 : rank, MPI_COMM_WORLD); /* BCAST */
    MPI_Finalize();
    return 0;
}
