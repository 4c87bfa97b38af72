/*
 * Nonblocking collectives without data are complete at once, and their wait says nothing of others.
 *
 * check: -n 2 -- ibcast: ready-send error READY
 * runs: -n 2 -- ibcast: 1, merged 1
 * check: -n 2 -- iallreduce: ready-send error READY
 * runs: -n 2 -- iallreduce: 1, merged 1
 * check: -n 2 -- ialltoall: ready-send error READY
 * runs: -n 2 -- ialltoall: 1, merged 1
 * check: -n 2 -- igather: ready-send error READY
 * runs: -n 2 -- igather: 1, merged 1
 * check: -n 2 -- iallreduce 1: none
 * runs: -n 2 -- iallreduce 1: 1, merged 1
 * check: -n 2 -- ialltoall 1: none
 * runs: -n 2 -- ialltoall 1: 1, merged 1
 * check: -n 2 -- igather 1: none
 * runs: -n 2 -- igather 1: 1, merged 1
 */
#include <mpi.h>
#include <string.h>

static int rank;

static void meet(const char *kind, int count)
{
    int a[2] = {0}, b[2];
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Comm comm = MPI_COMM_WORLD;

    if (!strcmp(kind, "ibcast"))
        MPI_Ibcast(a, count, MPI_INT, 1, comm, &request);
    if (!strcmp(kind, "iallreduce"))
        MPI_Iallreduce(a, b, count, MPI_INT, MPI_SUM, comm, &request);
    if (!strcmp(kind, "ialltoall"))
        MPI_Ialltoall(a, count, MPI_INT, b, count, MPI_INT, comm, &request);
    if (!strcmp(kind, "igather"))
        MPI_Igather(a, count, MPI_INT, b, count, MPI_INT, 0, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
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
