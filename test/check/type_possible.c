/*
 * A wildcard takes what rank 1 sends, which is right, in the one run that is looked at;
 * what rank 2 sends is of another type, and could have come.
 *
 * check: -n 3 --max-runs 1: type-mismatch error WRONG
 * check: -n 3: type-mismatch error RECV
 * check: -n 3 -- right: none
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0;
    _Alignas(8) char wrong[8] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* RECV */
        MPI_Recv(&wrong, 8, MPI_BYTE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 2 && argc == 1) {
        MPI_Send(&wrong, 1, MPI_FLOAT, 0, 0, MPI_COMM_WORLD); /* WRONG */
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
