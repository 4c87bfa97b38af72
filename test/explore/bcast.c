/*
 * A broadcast is no barrier: its root need not wait for rank 1, which sends before
 * it joins, so rank 2's wildcard may take either message.  Two runs.  But if the root
 * leaves early and rank 2, which has heard of it, is held until all have joined, rank 1
 * is stuck in a send that is not buffered: that is mixed, which is a warning.
 *
 * explore: -n 3 infinite: runs 2 clean 2
 * explore: -n 3 zero: runs 2 clean 2
 * explore: -n 3 any: runs 2 clean 2 cuts 1 mixed 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, word;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    if (rank == 2)
        MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    if (rank == 2)
        MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
