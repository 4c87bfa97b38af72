/*
 * Starts take no turn among the other collectives of the communicator: rank 0 starts the barrier before a broadcast, rank 1
 * after it.  The init does take one: where rank 1 makes it after the broadcast, calls are in different orders.
 *
 * check: -n 2: none
 * runs: -n 2: 1, merged 1
 * check: -n 2 -- late: collective-order error BCAST
 * runs: -n 2 -- late: 1, merged 1
 */
#include <mpi.h>
#if MPI_VERSION < 4
#include <mpi-ext.h>
#define MPI_Barrier_init MPIX_Barrier_init
#endif

int main(int argc, char **argv)
{
    int rank, value = 0, late;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    late = argc > 1 && rank == 1;
    if (!late)
        MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    if (rank == 0)
        MPI_Start(&request);
    MPI_Bcast(&value, 1, MPI_INT, 1, MPI_COMM_WORLD); /* BCAST */
    if (late)
        MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    if (rank == 1)
        MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
