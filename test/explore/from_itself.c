/*
 * Rank 0 begins to receive with itself, who sends nothing ([Vo 2011],
 * Fig. 2.4).  There is nothing to decide: one run, a deadlock.
 *
 * explore: -n 3 infinite: runs 1 deadlock 1
 * explore: -n 3 zero: runs 1 deadlock 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, value;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank != 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    else
        for (int i = 0; i < size; i++)
            MPI_Recv(&value, 1, MPI_INT, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
