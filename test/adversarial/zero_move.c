/*
 * A collective that moves no data need not wait for anybody: both libraries let ranks pass.  So the ready
 * send may come before its receive is posted.  With data it waits for rank 1, whose receive is posted before.
 *
 * check: -n 2 -- bcast: ready-send error READY
 * runs: -n 2 -- bcast: 1, merged 1
 * check: -n 2 -- gather: ready-send error READY
 * runs: -n 2 -- gather: 1, merged 1
 * check: -n 2 -- scatter: ready-send error READY
 * runs: -n 2 -- scatter: 1, merged 1
 * check: -n 2 -- allgather: ready-send error READY
 * runs: -n 2 -- allgather: 1, merged 1
 * check: -n 2 -- alltoall: ready-send error READY
 * runs: -n 2 -- alltoall: 1, merged 1
 * check: -n 2 -- gather 1: none
 * runs: -n 2 -- gather 1: 1, merged 1
 * check: -n 2 -- allgather 1: none
 * runs: -n 2 -- allgather 1: 1, merged 1
 * check: -n 2 -- alltoall 1: none
 * runs: -n 2 -- alltoall 1: 1, merged 1
 */
#include <mpi.h>
#include <string.h>

static int rank;

static void meet(const char *kind, int count)
{
    int a[2] = {0}, b[2];
    MPI_Comm comm = MPI_COMM_WORLD;

    if (!strcmp(kind, "bcast"))
        MPI_Bcast(a, count, MPI_INT, 1, comm);
    if (!strcmp(kind, "gather"))
        MPI_Gather(a, count, MPI_INT, b, count, MPI_INT, 0, comm);
    if (!strcmp(kind, "scatter"))
        MPI_Scatter(a, count, MPI_INT, b, count, MPI_INT, 1, comm);
    if (!strcmp(kind, "allgather"))
        MPI_Allgather(a, count, MPI_INT, b, count, MPI_INT, comm);
    if (!strcmp(kind, "alltoall"))
        MPI_Alltoall(a, count, MPI_INT, b, count, MPI_INT, comm);
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
