/*
 * Three numbers come where there is room for two; the twin has room for more.
 *
 * check: -n 2: truncation error RECV
 * check: -n 2 -- right: none
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value[4] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(value, 3, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(value, argc > 1 ? 4 : 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* RECV */
    MPI_Finalize();
    return 0;
}
