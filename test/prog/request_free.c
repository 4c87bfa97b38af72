/*
 * Request_free of active sends and of a receive; Request_get_status.
 *
 * run: -n 2
 */
#include "check.h"

enum { N = 4 };

static void freed_sends(void)
{
    static int v[N];
    int got[N];
    MPI_Request request;

    if (rank == 0) {
        for (int i = 0; i < N; i++) {
            v[i] = i * i;
            if (i % 2)
                MPI_Isend(&v[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &request);
            else
                MPI_Issend(&v[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &request);
            MPI_Request_free(&request);
            CHECK(request == MPI_REQUEST_NULL);
        }
        /* Only the answer tells that the buffers are free again. */
        MPI_Recv(got, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        say("answer %d", got[0]);
    } else {
        int sum = 0;
        for (int i = N - 1; i >= 0; i--) {
            MPI_Recv(&got[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            sum += got[i];
        }
        say_ints("freed sends", got, N);
        MPI_Send(&sum, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
    }
}

/*
 * A freed receive still takes its message, so the next receive gets the second.
 * When its buffer is filled nobody can know: it is not looked at.
 */
static void freed_receive(void)
{
    static int early;
    int late = 0;
    MPI_Request request;

    if (rank == 0) {
        MPI_Irecv(&early, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
        MPI_Recv(&late, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        say("after the freed receive %d", late);
        CHECK(late == 71);
    } else {
        for (int value = 70; value <= 71; value++)
            MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
    }
}

/* A persistent send freed while active still delivers. */
static void freed_persistent(void)
{
    static int value;
    int got;
    MPI_Request request;

    if (rank == 0) {
        value = 88;
        MPI_Send_init(&value, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, &request);
        MPI_Start(&request);
        MPI_Request_free(&request);
        MPI_Recv(&got, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        say("persistent echoed %d", got);
    } else {
        MPI_Recv(&got, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        got++;
        MPI_Send(&got, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);
    }
}

static void get_status(void)
{
    int peer = 1 - rank, value = -1, flag, count;
    MPI_Request request;
    MPI_Status status;

    MPI_Irecv(&value, 1, MPI_INT, peer, 5, MPI_COMM_WORLD, &request);
    if (rank == 0) {
        /* Rank 1 sends only when told: nothing can be there yet. */
        MPI_Request_get_status(request, &flag, &status);
        CHECK(!flag);
        MPI_Send(&rank, 1, MPI_INT, peer, 5, MPI_COMM_WORLD);
    }
    do
        MPI_Request_get_status(request, &flag, &status);
    while (!flag);
    MPI_Get_count(&status, MPI_INT, &count);
    say("status from %d tag %d count %d", status.MPI_SOURCE, status.MPI_TAG, count);
    CHECK(request != MPI_REQUEST_NULL);
    MPI_Wait(&request, &status);
    say("value %d", value);
    CHECK(request == MPI_REQUEST_NULL && status.MPI_SOURCE == peer);
    if (rank == 1)
        MPI_Send(&rank, 1, MPI_INT, peer, 5, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    freed_sends();
    freed_receive();
    freed_persistent();
    get_status();
    return finish();
}
