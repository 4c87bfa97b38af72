/*
 * Messages of one sender with different tags, received in the other order: with
 * buffering the second overtakes the first, without the first is never received.
 *
 * explore: -n 2 infinite: runs 1 clean 1
 * explore: -n 2 zero: runs 1 deadlock 1
 * explore: -n 2 any: runs 1 clean 1 cuts 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 2; i++) {
        if (rank == 1)
            MPI_Send(&value, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
        else
            MPI_Recv(&value, 1, MPI_INT, 1, 1 - i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
