/*
 * Neighbours that bring nothing are not waited for.  The ring of two has each twice as a neighbour, and what is
 * awaited of one of the two edges is awaited of the member.
 *
 * check: -n 2 -- allgather: ready-send error READY
 * runs: -n 2 -- allgather: 1, merged 1
 * check: -n 2 -- alltoall: ready-send error READY
 * runs: -n 2 -- alltoall: 1, merged 1
 * check: -n 2 -- alltoallv: ready-send error READY
 * runs: -n 2 -- alltoallv: 1, merged 1
 * check: -n 2 -- allgather 1: none
 * runs: -n 2 -- allgather 1: 1, merged 1
 * check: -n 2 -- alltoall 1: none
 * runs: -n 2 -- alltoall 1: 1, merged 1
 * check: -n 2 -- alltoallv 1: none
 * runs: -n 2 -- alltoallv 1: 1, merged 1
 */
#include <mpi.h>
#include <string.h>

static int rank;

static MPI_Comm ring;

static MPI_Comm made_ring(void)
{
    int size = 2, circle = 1;
    MPI_Comm made;

    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &circle, 0, &made);
    return made;
}

static void meet(const char *kind, int count)
{
    int a[4] = {0}, b[4], sends[2] = {count, 0}, recvs[2] = {0, count}, displs[2] = {0, 1};

    if (!strcmp(kind, "allgather"))
        MPI_Neighbor_allgather(a, count, MPI_INT, b, count, MPI_INT, ring);
    else if (!strcmp(kind, "alltoall"))
        MPI_Neighbor_alltoall(a, count, MPI_INT, b, count, MPI_INT, ring);
    else
        MPI_Neighbor_alltoallv(a, sends, displs, MPI_INT, b, recvs, displs, MPI_INT, ring);
}

int main(int argc, char **argv)
{
    int count = argc > 2, word = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    ring = made_ring();
    if (rank == 1)
        MPI_Irecv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    meet(argv[1], count);
    if (rank == 0)
        MPI_Rsend(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* READY */
    else
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
