/*
 * Everybody sends to the next and receives from anybody in one call: no deadlock, even
 * without buffering, and nobody has a choice.
 *
 * explore: -n 4 infinite: runs 1 clean 1
 * explore: -n 4 zero: runs 1 clean 1
 * explore: -n 4 any: runs 1 clean 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, value;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
