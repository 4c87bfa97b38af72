/*
 * What was sent as int is received as float; the twin sends float.
 *
 * check: -n 2: type-mismatch error SEND
 * check: -n 2 -- right: none
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value[2] = {1, 2};
    float got[2] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(argc > 1 ? (void *)got : value, 2, argc > 1 ? MPI_FLOAT : MPI_INT, 1, 0, MPI_COMM_WORLD); /* SEND */
    else if (rank == 1)
        MPI_Recv(got, 2, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
