/*
 * A persistent reduction of no elements waits for nobody when it is started, so the ready send may come first.
 *
 * check: -n 2: ready-send error READY
 * runs: -n 2: 1, merged 1
 * check: -n 2 -- full: none
 * runs: -n 2 -- full: 1, merged 1
 */
#include <mpi.h>
#if MPI_VERSION < 4
#include <mpi-ext.h>
#define MPI_Allreduce_init MPIX_Allreduce_init
#endif

int main(int argc, char **argv)
{
    int rank, word = 0, a = 0, b;
    MPI_Request request, reduction;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce_init(&a, &b, argc > 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &reduction);
    if (rank == 1)
        MPI_Irecv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Start(&reduction);
    MPI_Wait(&reduction, MPI_STATUS_IGNORE);
    if (rank == 0)
        MPI_Rsend(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* READY */
    else
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&reduction);
    MPI_Finalize();
    return 0;
}
