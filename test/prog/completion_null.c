/*
 * Completion calls on null requests, inactive requests and empty lists.
 *
 * run: -n 2
 */
#include "check.h"

static int is_empty(const MPI_Status *status)
{
    int count, cancelled;

    MPI_Get_count(status, MPI_INT, &count);
    MPI_Test_cancelled(status, &cancelled);
    return status->MPI_SOURCE == MPI_ANY_SOURCE && status->MPI_TAG == MPI_ANY_TAG && count == 0 &&
           !cancelled;
}

/* All that can be asked about requests none of which is active. */
static void nothing_active(const char *what, int n, MPI_Request *requests)
{
    MPI_Status statuses[3];
    int flag[3] = {-9, -9, -9}, index[2] = {-9, -9}, count[2] = {-9, -9}, indices[3];

    memset(statuses, 0, sizeof statuses);
    MPI_Waitall(n, requests, statuses);
    for (int i = 0; i < n; i++)
        CHECK(is_empty(&statuses[i]));
    MPI_Testall(n, requests, &flag[0], statuses);
    MPI_Waitany(n, requests, &index[0], &statuses[0]);
    CHECK(is_empty(&statuses[0]));
    MPI_Testany(n, requests, &index[1], &flag[1], &statuses[1]);
    CHECK(is_empty(&statuses[1]));
    MPI_Waitsome(n, requests, &count[0], indices, statuses);
    MPI_Testsome(n, requests, &count[1], indices, statuses);
    CHECK(index[0] == MPI_UNDEFINED && index[1] == MPI_UNDEFINED);
    CHECK(count[0] == MPI_UNDEFINED && count[1] == MPI_UNDEFINED);
    say("%s: testall %d testany %d", what, flag[0], flag[1]);
    CHECK(flag[0] == 1 && flag[1] == 1);

    for (int i = 0; i < n; i++) {
        MPI_Wait(&requests[i], &statuses[0]);
        MPI_Test(&requests[i], &flag[0], &statuses[1]);
        MPI_Request_get_status(requests[i], &flag[1], &statuses[2]);
        CHECK(flag[0] && flag[1]);
        for (int k = 0; k < 3; k++)
            CHECK(is_empty(&statuses[k]));
    }
}

/* An active request hidden among null and inactive ones. */
static void one_active(MPI_Request inactive)
{
    MPI_Request requests[3] = {MPI_REQUEST_NULL, inactive, MPI_REQUEST_NULL};
    MPI_Status status;
    int peer = 1 - rank, index = -1, got = -1, outcount, indices[3];
    int values[2] = {50 + rank, 60 + rank};

    MPI_Irecv(&got, 1, MPI_INT, peer, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Sendrecv(&values[0], 1, MPI_INT, peer, 1, NULL, 0, MPI_INT, MPI_PROC_NULL, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Waitany(3, requests, &index, &status);
    say("waitany index %d value %d from %d", index, got, status.MPI_SOURCE);
    CHECK(index == 2 && requests[2] == MPI_REQUEST_NULL);

    MPI_Irecv(&got, 1, MPI_INT, peer, 2, MPI_COMM_WORLD, &requests[0]);
    MPI_Sendrecv(&values[1], 1, MPI_INT, peer, 2, NULL, 0, MPI_INT, MPI_PROC_NULL, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Waitsome(3, requests, &outcount, indices, MPI_STATUSES_IGNORE);
    say("waitsome %d index %d value %d", outcount, indices[0], got);
    CHECK(outcount == 1 && indices[0] == 0 && requests[1] == inactive);
}

int main(int argc, char **argv)
{
    int value = 0;
    MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};

    begin(&argc, &argv);
    nothing_active("empty list", 0, requests);
    nothing_active("empty list, no array", 0, NULL);
    nothing_active("null requests", 3, requests);
    MPI_Recv_init(&value, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, &requests[1]);
    nothing_active("null and inactive", 3, requests);
    one_active(requests[1]);
    MPI_Request_free(&requests[1]);
    return finish();
}
