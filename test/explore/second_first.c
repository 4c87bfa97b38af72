/*
 * Does the first receive complete before the second ([Palmer 2007],
 * question 3)?  Nobody promises that: MPI_Waitany may name either, and the run in
 * which it names the second fails the assertion.
 *
 * explore: -n 2 infinite: runs 2 clean 1 crash 1
 * explore: -n 2 zero: runs 2 clean 1 crash 1
 */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, which, value[2] = {6, 7};
    MPI_Request request[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Issend(&value[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request[0]);
        MPI_Isend(&value[1], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request[1]);
    } else {
        MPI_Irecv(&value[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request[0]);
        MPI_Irecv(&value[1], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request[1]);
        MPI_Waitany(2, request, &which, MPI_STATUS_IGNORE);
        assert(which == 0);
    }
    for (int i = 0; i < 2; i++)
        MPI_Wait(&request[i], MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
