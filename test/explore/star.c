/*
 * One wildcard receiver, everybody else sends once: (n-1)! orders.
 *
 * explore: -n 2 infinite: runs 1 clean 1
 * explore: -n 4 infinite: runs 6 clean 6
 * explore: -n 5 infinite: runs 24 clean 24
 * explore: -n 5 zero: runs 24 clean 24
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, value;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank > 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    else
        for (int i = 1; i < size; i++)
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
