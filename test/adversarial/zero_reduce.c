/*
 * A reduction of no elements has nothing to combine, so it waits for nobody.
 *
 * check: -n 2 -- allreduce: ready-send error READY
 * runs: -n 2 -- allreduce: 1, merged 1
 * check: -n 2 -- reduce: ready-send error READY
 * runs: -n 2 -- reduce: 1, merged 1
 * check: -n 2 -- scan: ready-send error READY
 * runs: -n 2 -- scan: 1, merged 1
 * check: -n 2 -- exscan: ready-send error READY
 * runs: -n 2 -- exscan: 1, merged 1
 * check: -n 2 -- block: ready-send error READY
 * runs: -n 2 -- block: 1, merged 1
 * check: -n 2 -- allreduce 1: none
 * runs: -n 2 -- allreduce 1: 1, merged 1
 * check: -n 2 -- reduce 1: none
 * runs: -n 2 -- reduce 1: 1, merged 1
 * check: -n 2 -- block 1: none
 * runs: -n 2 -- block 1: 1, merged 1
 */
#include <mpi.h>
#include <string.h>

static int rank;

static void meet(const char *kind, int count)
{
    int a[2] = {0}, b[2];
    MPI_Comm comm = MPI_COMM_WORLD;

    if (!strcmp(kind, "allreduce"))
        MPI_Allreduce(a, b, count, MPI_INT, MPI_SUM, comm);
    if (!strcmp(kind, "reduce"))
        MPI_Reduce(a, b, count, MPI_INT, MPI_SUM, 0, comm);
    if (!strcmp(kind, "scan"))
        MPI_Scan(a, b, count, MPI_INT, MPI_SUM, comm);
    if (!strcmp(kind, "exscan"))
        MPI_Exscan(a, b, count, MPI_INT, MPI_SUM, comm);
    if (!strcmp(kind, "block"))
        MPI_Reduce_scatter_block(a, b, count, MPI_INT, MPI_SUM, comm);
}

int main(int argc, char **argv)
{
    int count = argc > 2, word = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        MPI_Irecv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    meet(argv[1], count);
    if (rank == 0)
        MPI_Rsend(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* READY */
    else
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
