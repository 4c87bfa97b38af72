/*
 * Rank 1 waits for one of two requests, of which that of a buffered send is complete when it is made.  MPI may name the
 * other one; that this was not tried is said.
 *
 * check: -n 2 -- buffered: none
 * runs: -n 2 -- buffered: 1, merged 1
 * assumed: -n 2 -- buffered: preference: were complete when they were made
 * check: -n 2 -- null: none
 * runs: -n 2 -- null: 1, merged 1
 * assumed: -n 2 -- null: preference: were complete when they were made
 * check: -n 2 -- standard: none
 * runs: -n 2 -- standard: 2, merged 2
 */
#include <mpi.h>
#include <string.h>

static char buffer[1000 + MPI_BSEND_OVERHEAD];

int main(int argc, char **argv)
{
    int rank, index, out = 1, in, size;
    void *detached;
    MPI_Request request[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Buffer_attach(buffer, sizeof buffer);
    MPI_Irecv(&in, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request[0]);
    if (strcmp(argv[1], "buffered") == 0)
        MPI_Ibsend(&out, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request[1]);
    else
        MPI_Isend(&out, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request[1]);
    if (strcmp(argv[1], "null") == 0) {
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        MPI_Irecv(&in, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request[0]);
        MPI_Issend(&out, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, &request[1]);
        MPI_Recv(&in, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (rank == 1)
        MPI_Waitany(2, request, &index, MPI_STATUS_IGNORE);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Buffer_detach(&detached, &size);
    MPI_Finalize();
    return 0;
}
