/*
 * The crooked barrier ([Vo 2011], Fig. 1.1): a wildcard receive posted before
 * the barrier may take a message sent after it.  Taking that one crashes.  No send
 * is waited for before the barrier, so buffering makes no difference.
 *
 * explore: -n 3 infinite: runs 2 clean 1 crash 1
 * explore: -n 3 zero: runs 2 clean 1 crash 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, first, second, value;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    switch (rank) {
    case 0:
        value = 22;
        MPI_Isend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Barrier(MPI_COMM_WORLD);
        break;
    case 1:
        MPI_Irecv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        break;
    case 2:
        MPI_Barrier(MPI_COMM_WORLD);
        value = 33;
        MPI_Isend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        break;
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 1 && first == 33)
        abort();
    MPI_Finalize();
    return 0;
}
