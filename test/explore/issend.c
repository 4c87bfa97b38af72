/*
 * Head to head with synchronous sends that are waited for last: no deadlock, even
 * without buffering, because the receives are posted first.
 *
 * explore: -n 2 infinite: runs 1 clean 1
 * explore: -n 2 zero: runs 1 clean 1
 * explore: -n 2 any: runs 1 clean 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, other;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Issend(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
    MPI_Recv(&other, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
