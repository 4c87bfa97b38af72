/*
 * Active requests that are freed: MPI advises against it for a receive and forbids
 * it for a collective.  A send may be freed, which is worth a note if it brings something, and a receive that was cancelled or is
 * known to be complete.
 *
 * check: -n 2 -- send: request-state note SEND
 * check: -n 2 -- receive: request-state warning RECEIVE
 * check: -n 2 -- collective: request-state error COLLECTIVE
 * check: -n 2: none
 */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    static int in, out;
    int rank;
    MPI_Request request;
    const char *what = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Isend(&out, strcmp(what, "send") == 0, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request); /* SEND */
    MPI_Irecv(&in, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
    if (strcmp(what, "receive") == 0)
        MPI_Request_free(&request); /* RECEIVE */
    else
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Irecv(&in, 1, MPI_INT, rank, 2, MPI_COMM_WORLD, &request);
    MPI_Send(&out, 1, MPI_INT, rank, 2, MPI_COMM_WORLD);
    for (int flag = 0; !flag;)
        MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Irecv(&in, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Request_free(&request);
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    if (strcmp(what, "collective") == 0)
        MPI_Request_free(&request); /* COLLECTIVE */
    else
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
