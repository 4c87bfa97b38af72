/*
 * Head to head with non-blocking calls ([Vo 2011], Fig. 2.5): each waits for
 * its send before it posts its receive, so MPI_Isend does not help.
 *
 * explore: -n 2 infinite: runs 1 clean 1
 * explore: -n 2 zero: runs 1 deadlock 1
 * explore: -n 2 any: runs 1 clean 1 cuts 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Isend(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Irecv(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
