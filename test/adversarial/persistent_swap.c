/*
 * Two persistent reductions alike but for their data: matched by their starts, which ranks make in different orders, the
 * sums would be swapped and nothing said.
 *
 * check: -n 2: none
 * runs: -n 2: 1, merged 1
 * check: -n 2 -- wrong: abort error ABORT
 * runs: -n 2 -- wrong: 1, merged 1
 */
#include <mpi.h>
#if MPI_VERSION < 4
#include <mpi-ext.h>
#define MPI_Allreduce_init MPIX_Allreduce_init
#endif

int main(int argc, char **argv)
{
    int rank, mine[2] = {1, 100}, sum[2];
    MPI_Request request[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 2; i++) {
        int which = argc > 1 && rank ? !i : i; /* wrong: init calls in different orders */
        MPI_Allreduce_init(&mine[which], &sum[which], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request[which]);
    }
    MPI_Start(&request[rank]);
    MPI_Start(&request[!rank]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    if (rank == 0 && (sum[0] != 2 || sum[1] != 200))
        MPI_Abort(MPI_COMM_WORLD, 1); /* ABORT */
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
    MPI_Finalize();
    return 0;
}
