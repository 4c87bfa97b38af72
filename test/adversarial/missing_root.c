/*
 * A broadcast whose root goes on by itself, and a reduction whose root alone waits: rank 1 never calls them.  That is
 * wrong under any buffering, and no matter of buffering.
 *
 * check: -n 2 -- bcast: collective-missing error CALL
 * runs: -n 2 -- bcast: 1, merged 1
 * check: -n 2 --buffering=infinite -- bcast: collective-missing error CALL
 * runs: -n 2 --buffering=infinite -- bcast: 1, merged 1
 * check: -n 2 --buffering=zero -- bcast: collective-missing error CALL
 * runs: -n 2 --buffering=zero -- bcast: 1, merged 1
 * check: -n 2 --buffering=eager=4 -- bcast: collective-missing error CALL
 * runs: -n 2 --buffering=eager=4 -- bcast: 1, merged 1
 * check: -n 2 -- reduce: collective-missing error CALL
 * runs: -n 2 -- reduce: 1, merged 1
 * check: -n 2 -- all: none
 * runs: -n 2 -- all: 1, merged 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, sum, kind = argv[1][0];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 || kind == 'a') {
        kind == 'r' ? MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD) : MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD); /* CALL */
    }
    MPI_Finalize();
    return 0;
}
