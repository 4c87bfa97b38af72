/*
 * Rank 0 has a receive of what rank 1 sends, and a request that is complete when it is made: of a buffered send, or of an
 * operation with MPI_PROC_NULL.  A call that chooses may name either, or both.  With `relies` the program takes it for granted
 * that the one which was complete is named, with `copes` it goes by what the call says.  A test does not say no, for one
 * of the requests is complete whatever rank 1 does.
 *
 * check: -n 2 -- buffered waitany relies: abort error RELIES
 * runs: -n 2 -- buffered waitany relies: 2, merged 2
 * check: -n 2 -- buffered waitany copes: none
 * runs: -n 2 -- buffered waitany copes: 2, merged 2
 * check: -n 2 -- buffered waitsome relies: abort error RELIES
 * runs: -n 2 -- buffered waitsome relies: 3, merged 2
 * check: -n 2 -- buffered waitsome copes: none
 * runs: -n 2 -- buffered waitsome copes: 3, merged 2
 * check: -n 2 -- buffered testany relies: abort error RELIES
 * runs: -n 2 -- buffered testany relies: 2, merged 2
 * check: -n 2 -- buffered testsome copes: none
 * runs: -n 2 -- buffered testsome copes: 3, merged 2
 * check: -n 2 -- received waitany relies: abort error RELIES
 * runs: -n 2 -- received waitany relies: 2, merged 2
 * check: -n 2 -- received waitsome copes: none
 * runs: -n 2 -- received waitsome copes: 3, merged 2
 * check: -n 2 -- received testany copes: none
 * runs: -n 2 -- received testany copes: 2, merged 2
 * check: -n 2 -- received testsome relies: abort error RELIES
 * runs: -n 2 -- received testsome relies: 3, merged 2
 * check: -n 2 -- sent waitany relies: abort error RELIES
 * runs: -n 2 -- sent waitany relies: 2, merged 2
 * check: -n 2 -- sent testany copes: none
 * runs: -n 2 -- sent testany copes: 2, merged 2
 * check: -n 2 -- persistent waitany relies: abort error RELIES
 * runs: -n 2 -- persistent waitany relies: 2, merged 2
 * check: -n 2 -- persistent testsome copes: none
 * runs: -n 2 -- persistent testsome copes: 3, merged 2
 * check: -n 2 -- asked waitany relies: abort error RELIES
 * runs: -n 2 -- asked waitany relies: 2, merged 2
 * check: -n 2 -- asked testany copes: none
 * runs: -n 2 -- asked testany copes: 2, merged 2
 * check: -n 2 --buffering=zero -- received testany relies: abort error RELIES
 * runs: -n 2 --buffering=zero -- received testany relies: 2, merged 2
 */
#include <mpi.h>
#include <string.h>

static char buffer[1000 + MPI_BSEND_OVERHEAD];

static void require(int holds)
{
    if (!holds)
        MPI_Abort(MPI_COMM_WORLD, 2);
}

/* A request that needs nobody; `asked`: of a message that this rank was told to have received. */
static void make_complete(const char *sort, int *value, MPI_Request *request)
{
    int flag = 0;

    if (strcmp(sort, "buffered") == 0)
        MPI_Ibsend(value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, request);
    else if (strcmp(sort, "sent") == 0)
        MPI_Issend(value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, request);
    else if (strcmp(sort, "received") == 0)
        MPI_Irecv(value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, request);
    if (strcmp(sort, "persistent") == 0) {
        MPI_Recv_init(value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, request);
        MPI_Start(request);
    }
    if (strcmp(sort, "asked") == 0) {
        MPI_Irecv(value, 1, MPI_INT, 0, 5, MPI_COMM_SELF, request);
        MPI_Send(&flag, 1, MPI_INT, 0, 5, MPI_COMM_SELF);
        while (!flag)
            MPI_Request_get_status(*request, &flag, MPI_STATUS_IGNORE);
    }
}

/* How many requests the call names, which, and with what status. */
static int choose(const char *how, MPI_Request request[2], int named[2], MPI_Status status[2])
{
    int count = 1;

    if (strcmp(how, "waitany") == 0)
        MPI_Waitany(2, request, named, status);
    else if (strcmp(how, "waitsome") == 0)
        MPI_Waitsome(2, request, &count, named, status);
    else if (strcmp(how, "testany") == 0)
        MPI_Testany(2, request, named, &count, status);
    else
        MPI_Testsome(2, request, &count, named, status);
    require(count > 0);
    return count;
}

static void check_status(const char *sort, int named, const MPI_Status *status)
{
    int count;

    MPI_Get_count(status, MPI_INT, &count);
    if (named == 0)
        require(status->MPI_SOURCE == 1 && status->MPI_TAG == 0 && count == 1);
    else if (strcmp(sort, "received") == 0 || strcmp(sort, "persistent") == 0)
        require(status->MPI_SOURCE == MPI_PROC_NULL && status->MPI_TAG == MPI_ANY_TAG && count == 0);
    else if (strcmp(sort, "asked") == 0)
        require(status->MPI_SOURCE == 0 && status->MPI_TAG == 5 && count == 1);
}

int main(int argc, char **argv)
{
    int rank, size, in = -1, value = 7, named[2] = {-1, -1}, last = -1;
    void *detached;
    MPI_Request request[2];
    MPI_Status status[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Buffer_attach(buffer, sizeof buffer);
    if (rank == 1) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        if (strcmp(argv[1], "buffered") == 0)
            MPI_Recv(&in, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Irecv(&in, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request[0]);
        make_complete(argv[1], &value, &request[1]);
        int count = choose(argv[2], request, named, status);
        for (int i = 0; i < count; i++)
            check_status(argv[1], named[i], &status[i]);
        last = named[count - 1];
        if (strcmp(argv[3], "relies") == 0 && last != 1)
            MPI_Abort(MPI_COMM_WORLD, 1); /* RELIES */
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        require(in == 1);
        if (strcmp(argv[1], "persistent") == 0)
            MPI_Request_free(&request[1]);
    }
    MPI_Buffer_detach(&detached, &size);
    MPI_Finalize();
    return 0;
}
