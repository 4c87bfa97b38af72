/*
 * Communicators freed while communication on them is pending: it completes.
 * Many are made and freed, as libraries do.
 *
 * run: -n 3
 */
#include "check.h"

static void pending_messages(void)
{
    int right = (rank + 1) % size, left = (rank + size - 1) % size, got = -1, sum = -1;
    MPI_Comm comm;
    MPI_Request requests[3];

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Irecv(&got, 1, MPI_INT, left, 3, comm, &requests[0]);
    MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm, &requests[1]);
    MPI_Isend(&rank, 1, MPI_INT, right, 3, comm, &requests[2]);
    MPI_Comm_free(&comm);
    CHECK(comm == MPI_COMM_NULL);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    say("after free: got %d sum %d", got, sum);
    CHECK(got == left && sum == size * (size - 1) / 2);
}

/* Nothing pending may remain when a communicator is disconnected. */
static void disconnected(void)
{
    int right = (rank + 1) % size, left = (rank + size - 1) % size, got = -1;
    MPI_Comm comm;
    MPI_Request requests[2];

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Irecv(&got, 1, MPI_INT, left, 0, comm, &requests[0]);
    MPI_Isend(&rank, 1, MPI_INT, right, 0, comm, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Comm_disconnect(&comm);
    say("disconnected: got %d, null %d", got, comm == MPI_COMM_NULL);
}

/* A persistent request keeps its communicator alive. */
static void persistent(void)
{
    int peer = size - 1 - rank, got = -1, total = 0;
    MPI_Comm comm;
    MPI_Request requests[2];

    MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &comm);
    MPI_Recv_init(&got, 1, MPI_INT, peer, 0, comm, &requests[0]);
    MPI_Send_init(&rank, 1, MPI_INT, peer, 0, comm, &requests[1]);
    MPI_Comm_free(&comm);
    for (int i = 0; i < 3; i++) {
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        total += got;
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    say("persistent after free: %d", total);
    CHECK(total == 3 * peer);
}

static void many(void)
{
    int sum = 0;

    for (int i = 0; i < 20; i++) {
        MPI_Comm comm;
        int one;
        MPI_Comm_split(MPI_COMM_WORLD, rank == i % size, 0, &comm);
        MPI_Comm_size(comm, &one);
        sum = 3 * sum % 1000 + one;
        MPI_Comm_free(&comm);
    }
    say("twenty splits: %d", sum);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    pending_messages();
    disconnected();
    persistent();
    many();
    return finish();
}
