/*
 * A persistent broadcast that rank 1 makes and starts once less often; or one that it does not make at all.
 *
 * check: -n 2 -- start: collective-missing error START
 * runs: -n 2 -- start: 1, merged 1
 * check: -n 2 --buffering=zero -- start: collective-missing error START
 * runs: -n 2 --buffering=zero -- start: 1, merged 1
 * check: -n 2 -- init: collective-missing error INIT
 * runs: -n 2 -- init: 1, merged 1
 * check: -n 2 -- none: none
 * runs: -n 2 -- none: 1, merged 1
 */
#include <mpi.h>
#if MPI_VERSION < 4
#include <mpi-ext.h>
#define MPI_Bcast_init MPIX_Bcast_init
#endif

int main(int argc, char **argv)
{
    int rank, value = 0, what = argv[1][0];
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 || what != 'i') {
        MPI_Bcast_init(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request); /* INIT */
        for (int i = 0; i < (what == 'i' ? 0 : what == 's' && rank ? 1 : 2); i++) {
            MPI_Start(&request); /* START */
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        MPI_Request_free(&request);
    }
    MPI_Finalize();
    return 0;
}
