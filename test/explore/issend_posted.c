/*
 * What is known when a synchronous send has completed ([Palmer 2007],
 * question 4)?  That its receive was posted, and no more.  Rank 1 sends a second
 * message then; rank 0 cannot see it before it posts the receive (the assertion
 * holds), and after that it may or may not: two runs.
 *
 * explore: -n 2 infinite: runs 2 clean 2
 * explore: -n 2 zero: runs 2 clean 2
 */
#include <assert.h>
#include <mpi.h>

enum { SYNCHRONOUS, AFTER };

int main(int argc, char **argv)
{
    int rank, flag, value = 0, after = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Issend(&value, 1, MPI_INT, 0, SYNCHRONOUS, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Send(&after, 1, MPI_INT, 0, AFTER, MPI_COMM_WORLD);
    } else {
        MPI_Iprobe(1, AFTER, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        assert(!flag);
        MPI_Irecv(&value, 1, MPI_INT, 1, SYNCHRONOUS, MPI_COMM_WORLD, &request);
        MPI_Iprobe(1, AFTER, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Recv(&after, 1, MPI_INT, 1, AFTER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
