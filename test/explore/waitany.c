/*
 * Waitany over two receives that are both complete sooner or later: two ways.  A
 * broadcast is no barrier: its root goes on alone.
 *
 * explore: -n 3 infinite: runs 2 clean 2
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value[2], which;
    MPI_Request request[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        for (int i = 0; i < 2; i++)
            MPI_Irecv(&value[i], 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &request[i]);
        MPI_Waitany(2, request, &which, MPI_STATUS_IGNORE);
        MPI_Wait(&request[1 - which], MPI_STATUS_IGNORE);
    }
    MPI_Bcast(&rank, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
