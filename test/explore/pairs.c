/*
 * k independent receivers with two outcomes each: 2^k runs, but the segments that
 * have to be run grow with k only.
 *
 * explore: -n 3 infinite: runs 2 clean 2 segments 7
 * explore: -n 6 infinite: runs 4 clean 4 segments 14
 * explore: -n 12 infinite: runs 16 clean 16 segments 28
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank % 3 > 0) {
        MPI_Send(&rank, 1, MPI_INT, rank - rank % 3, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
