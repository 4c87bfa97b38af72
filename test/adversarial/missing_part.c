/*
 * On a communicator of a part of the ranks, and not blocking: rank 2 never calls the broadcast that ranks 0 and 1 complete.
 *
 * check: -n 4: collective-missing error CALL
 * runs: -n 4: 1, merged 1
 * check: -n 4 --buffering=infinite: collective-missing error CALL
 * runs: -n 4 --buffering=infinite: 1, merged 1
 * check: -n 4 -- all: none
 * runs: -n 4 -- all: 1, merged 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Comm part;
    MPI_Request request = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 3, 0, &part);
    if (rank < 2 || argc > 1)
        MPI_Ibcast(&value, 1, MPI_INT, 0, part, &request); /* CALL */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&part);
    MPI_Finalize();
    return 0;
}
