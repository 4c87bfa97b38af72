/*
 * A generalized request that the program has completed, and a receive of what is there: MPI may name either first.  The
 * generalized one is the MPI library's own, and named before all others; that the other order was not tried is said.
 *
 * check: -n 1 -- any: none
 * runs: -n 1 -- any: 1, merged 1
 * assumed: -n 1 -- any: preference: name generalized requests
 * check: -n 1 -- some: none
 * runs: -n 1 -- some: 1, merged 1
 * assumed: -n 1 -- some: preference: name generalized requests
 */
#include <mpi.h>
#include <string.h>

static int query(void *state, MPI_Status *status)
{
    (void)state;
    MPI_Status_set_elements(status, MPI_INT, 0);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = status->MPI_TAG = MPI_UNDEFINED;
    return MPI_SUCCESS;
}

static int release(void *state)
{
    (void)state;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    (void)state, (void)complete;
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int value = 0, named[2], count;
    MPI_Request request[2];

    MPI_Init(&argc, &argv);
    MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request[0]);
    MPI_Send(&count, 0, MPI_INT, 0, 0, MPI_COMM_SELF);
    MPI_Grequest_start(query, release, cancel, NULL, &request[1]);
    MPI_Grequest_complete(request[1]);
    if (strcmp(argv[1], "any") == 0)
        MPI_Waitany(2, request, named, MPI_STATUS_IGNORE);
    else
        MPI_Waitsome(2, request, &count, named, MPI_STATUSES_IGNORE);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
