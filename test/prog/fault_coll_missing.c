/*
 * Rank 1 never calls the broadcast, whose root goes on by itself.
 *
 * run: -n 2
 * exit: 1
 * compare: none
 * expect: collective-missing
 * expect: rank 0 MPI_Bcast at BCAST
 * expect: rank 1 never called it
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD); /* BCAST */
    MPI_Finalize();
    return 0;
}
