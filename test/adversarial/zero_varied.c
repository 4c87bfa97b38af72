/*
 * Counts that differ: rank 1 brings nothing and rank 0 does, so rank 0 does not wait for rank 1.
 * In the twin rank 1 brings a number.
 *
 * check: -n 2 -- gatherv: ready-send error READY
 * runs: -n 2 -- gatherv: 1, merged 1
 * check: -n 2 -- scatterv: ready-send error READY
 * runs: -n 2 -- scatterv: 1, merged 1
 * check: -n 2 -- allgatherv: ready-send error READY
 * runs: -n 2 -- allgatherv: 1, merged 1
 * check: -n 2 -- alltoallv: ready-send error READY
 * runs: -n 2 -- alltoallv: 1, merged 1
 * check: -n 2 -- alltoallw: ready-send error READY
 * runs: -n 2 -- alltoallw: 1, merged 1
 * check: -n 2 -- reduce_scatter: ready-send error READY
 * runs: -n 2 -- reduce_scatter: 1, merged 1
 * check: -n 2 -- gatherv 1: none
 * runs: -n 2 -- gatherv 1: 1, merged 1
 * check: -n 2 -- allgatherv 1: none
 * runs: -n 2 -- allgatherv 1: 1, merged 1
 * check: -n 2 -- alltoallv 1: none
 * runs: -n 2 -- alltoallv 1: 1, merged 1
 * check: -n 2 -- alltoallw 1: none
 * runs: -n 2 -- alltoallw 1: 1, merged 1
 * check: -n 2 -- reduce_scatter 1: none
 * runs: -n 2 -- reduce_scatter 1: 1, merged 1
 */
#include <mpi.h>
#include <string.h>

static int rank;

static void meet(const char *kind, int count)
{
    int a[2] = {0}, b[2], counts[2] = {1, count}, displs[2] = {0, 1}, bytes[2] = {0, sizeof(int)};
    int sends[2] = {rank ? count : 1, rank ? count : 1}, mine[2] = {count, 1};
    MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    MPI_Comm comm = MPI_COMM_WORLD;

    if (!strcmp(kind, "gatherv"))
        MPI_Gatherv(a, counts[rank], MPI_INT, b, counts, displs, MPI_INT, 0, comm);
    if (!strcmp(kind, "scatterv"))
        MPI_Scatterv(a, mine, displs, MPI_INT, b, mine[rank], MPI_INT, 1, comm);
    if (!strcmp(kind, "allgatherv"))
        MPI_Allgatherv(a, counts[rank], MPI_INT, b, counts, displs, MPI_INT, comm);
    if (!strcmp(kind, "alltoallv"))
        MPI_Alltoallv(a, sends, displs, MPI_INT, b, counts, displs, MPI_INT, comm);
    if (!strcmp(kind, "alltoallw"))
        MPI_Alltoallw(a, sends, bytes, types, b, counts, bytes, types, comm);
    if (!strcmp(kind, "reduce_scatter"))
        MPI_Reduce_scatter(a, b, mine, MPI_INT, MPI_SUM, comm);
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
