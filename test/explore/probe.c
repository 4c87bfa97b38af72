/*
 * Whom a probe has seen is not whom the next wildcard receive takes: each of the two
 * has two choices, and in half of the four runs they differ.
 *
 * explore: -n 3 infinite: runs 4 clean 2 crash 2
 * explore: -n 3 zero: runs 4 clean 2 crash 2
 */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value;
    MPI_Status seen, taken;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Probe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &seen);
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &taken);
        assert(seen.MPI_SOURCE == taken.MPI_SOURCE);
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
