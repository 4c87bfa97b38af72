/*
 * Rank 2 receives from whoever comes first, looks who else has sent something, and receives that by name.  If another comes
 * first, the message that is left fits no later receive of the run before, or only one behind that which now gets nothing:
 * yet the probe sees it, and nobody is stuck.
 *
 * check: -n 3 -- last: none
 * runs: -n 3 -- last: 2, merged 1
 * check: -n 3 -- more: none
 * runs: -n 3 -- more: 2, merged 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 7;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank < 2)
        MPI_Send(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    if (rank == 2) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Probe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (argv[1][0] == 'm') {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0)
            MPI_Send(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
        if (rank == 2)
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
