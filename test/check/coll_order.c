/*
 * One broadcasts and then enters the barrier, the other the other way round.
 *
 * check: -n 2: collective-order error BCAST
 * check: -n 2 --buffering=zero: collective-order error BARRIER
 * check: -n 2 -- right: none
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 || argc > 1) {
        MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD); /* BCAST */
        MPI_Barrier(MPI_COMM_WORLD);
    } else {
        MPI_Barrier(MPI_COMM_WORLD); /* BARRIER */
        MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
