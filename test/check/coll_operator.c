/*
 * One rank adds, the other looks for the largest.
 *
 * check: -n 2: collective-operator error CALL
 * check: -n 3 -- right: none
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 1, result;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&value, &result, 1, MPI_INT, rank == 1 && argc == 1 ? MPI_MAX : MPI_SUM, MPI_COMM_WORLD); /* CALL */
    MPI_Finalize();
    return 0;
}
