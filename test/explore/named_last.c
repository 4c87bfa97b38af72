/*
 * Wildcard receives for all senders but one, then a receive that names rank 2 ([Vo 2011],
 * Fig. 2.7; [Forejt 2017], Fig. 2).  A deadlock if a
 * wildcard has taken the message of rank 2.  With s senders the wildcards take s-1
 * of them in any order, s! runs; (s-1)! of these leave rank 2 for the last receive.
 *
 * explore: -n 3 infinite: runs 2 clean 1 deadlock 1
 * explore: -n 3 zero: runs 2 clean 1 deadlock 1
 * explore: -n 4 infinite: runs 6 clean 2 deadlock 4
 * explore: -n 5 zero: runs 24 clean 6 deadlock 18
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, value;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        for (int i = 1; i < size - 1; i++)
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, 2, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
