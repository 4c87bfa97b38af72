/*
 * Persistent collectives meet by the order of their init calls, not of their starts: ranks start a broadcast of 1 and one of
 * 2 in different orders, and each gets what its own root brought.  In another order of the init calls it is
 * the other way round, and the roots differ.
 *
 * check: -n 2: none
 * runs: -n 2: 1, merged 1
 * check: -n 2 --buffering=infinite: none
 * runs: -n 2 --buffering=infinite: 1, merged 1
 * check: -n 2 -- crossed: collective-root error INIT
 * runs: -n 2 -- crossed: 1, merged 1
 */
#include <mpi.h>
#if MPI_VERSION < 4
#include <mpi-ext.h>
#define MPI_Bcast_init MPIX_Bcast_init
#endif

int main(int argc, char **argv)
{
    int rank, value[2] = {0, 0}, first;
    MPI_Request request[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    first = argc > 1 && rank;
    for (int i = 0; i < 2; i++)
        MPI_Bcast_init(&value[i ^ first], 1, MPI_INT, i ^ first, MPI_COMM_WORLD, MPI_INFO_NULL, &request[i ^ first]); /* INIT */
    for (int round = 1; round < 3; round++) {
        value[rank] = 10 * round + rank;
        MPI_Start(&request[rank]);
        MPI_Start(&request[!rank]);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        if (value[0] != 10 * round || value[1] != 10 * round + 1)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
    MPI_Finalize();
    return 0;
}
