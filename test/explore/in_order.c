/*
 * Does the first receive get the first message ([Palmer 2007], question
 * 1)?  Yes, though one send is synchronous, and though the receiver waits for the
 * second first (question 3: they may complete in either order).  One run.
 *
 * explore: -n 2 infinite: runs 1 clean 1
 * explore: -n 2 zero: runs 1 clean 1
 */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value[2] = {0, 0};
    MPI_Request request[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        value[0] = 6;
        value[1] = 7;
        MPI_Issend(&value[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request[0]);
        MPI_Isend(&value[1], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request[1]);
    } else {
        MPI_Irecv(&value[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request[0]);
        MPI_Irecv(&value[1], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request[1]);
    }
    MPI_Wait(&request[1], MPI_STATUS_IGNORE);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    assert(value[0] == 6 && value[1] == 7);
    MPI_Finalize();
    return 0;
}
