/*
 * Cancel of receives: cancelled ones say so, matched ones do not.
 *
 * run: -n 2
 */
#include "check.h"

static void never_sent(void)
{
    int value = -5, flag;
    MPI_Request request;
    MPI_Status status;

    MPI_Irecv(&value, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    CHECK(request != MPI_REQUEST_NULL);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &flag);
    say("never sent: cancelled %d value %d", flag, value);
    CHECK(flag && value == -5);
}

/* The cancelled wildcard gives way: the message goes to the receive behind it. */
static void gives_way(void)
{
    int first = -1, second = -1, flag[2];
    MPI_Request requests[2];
    MPI_Status statuses[2];

    if (rank == 0) {
        MPI_Irecv(&first, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&second, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &requests[1]);
        MPI_Cancel(&requests[0]);
        MPI_Send(NULL, 0, MPI_INT, 1, 3, MPI_COMM_WORLD);
        MPI_Waitall(2, requests, statuses);
        MPI_Test_cancelled(&statuses[0], &flag[0]);
        MPI_Test_cancelled(&statuses[1], &flag[1]);
        say("gives way: cancelled %d %d values %d %d", flag[0], flag[1], first, second);
        CHECK(flag[0] && !flag[1] && second == 22);
    } else {
        int value = 22;
        MPI_Recv(NULL, 0, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
}

/* Too late: the receive is complete, cancel must not take the message back. */
static void too_late(void)
{
    int value = -1, flag, cancelled, peer = 1 - rank;
    MPI_Request requests[2];
    MPI_Status status;

    MPI_Irecv(&value, 1, MPI_INT, peer, 4, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&rank, 1, MPI_INT, peer, 4, MPI_COMM_WORLD, &requests[1]);
    do
        MPI_Request_get_status(requests[0], &flag, MPI_STATUS_IGNORE);
    while (!flag);
    MPI_Cancel(&requests[0]);
    MPI_Wait(&requests[0], &status);
    MPI_Test_cancelled(&status, &cancelled);
    say("too late: cancelled %d value %d", cancelled, value);
    CHECK(!cancelled && value == peer);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
}

/* A cancelled persistent receive is inactive and can be started again. */
static void persistent(void)
{
    int value = -1, cancelled, peer = 1 - rank, mine = 60 + rank;
    MPI_Request request, send;
    MPI_Status status;

    MPI_Recv_init(&value, 1, MPI_INT, peer, 5, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &cancelled);
    CHECK(cancelled);
    MPI_Start(&request);
    /* Both have cancelled before either sends. */
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Isend(&mine, 1, MPI_INT, peer, 5, MPI_COMM_WORLD, &send);
    MPI_Wait(&request, &status);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    MPI_Test_cancelled(&status, &cancelled);
    say("persistent: cancelled %d value %d", cancelled, value);
    CHECK(!cancelled && value == 60 + peer);
    MPI_Request_free(&request);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    never_sent();
    gives_way();
    too_late();
    persistent();
    return finish();
}
