/*
 * Persistent requests: all send modes, started in loops, with PROC_NULL ends.
 *
 * run: -n 3
 */
#include "check.h"

enum { ROUNDS = 4 };

/* A halo exchange on a line; the ends talk to nobody. */
static void halo(void)
{
    int right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int cell[3] = {0, rank + 1, 0};
    MPI_Request requests[4];

    MPI_Send_init(&cell[1], 1, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(&cell[1], 1, MPI_INT, left, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Recv_init(&cell[0], 1, MPI_INT, left, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Recv_init(&cell[2], 1, MPI_INT, right, 2, MPI_COMM_WORLD, &requests[3]);
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Startall(4, requests);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        cell[1] += cell[0] + cell[2];
        say("halo round %d: %d", round, cell[1]);
    }
    for (int i = 0; i < 4; i++) {
        CHECK(requests[i] != MPI_REQUEST_NULL);
        MPI_Request_free(&requests[i]);
        CHECK(requests[i] == MPI_REQUEST_NULL);
    }
}

/* Rank 1 receives from rank 0 in all modes; ready sends wait for a word. */
static void modes(void)
{
    int v[4], flag;
    MPI_Request requests[4];
    MPI_Status status;

    if (rank > 1)
        return;
    for (int i = 0; i < 4 && rank == 1; i++)
        MPI_Recv_init(&v[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &requests[i]);
    if (rank == 0) {
        MPI_Send_init(&v[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Bsend_init(&v[1], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Ssend_init(&v[2], 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &requests[2]);
        MPI_Rsend_init(&v[3], 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &requests[3]);
    }
    /* Not started yet: complete at once, with the empty status. */
    MPI_Wait(&requests[0], &status);
    CHECK(status.MPI_SOURCE == MPI_ANY_SOURCE && status.MPI_TAG == MPI_ANY_TAG);
    MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
    CHECK(flag && requests[0] != MPI_REQUEST_NULL);

    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 4 && rank == 0; i++)
            v[i] = 10 * round + i;
        if (rank == 0)
            MPI_Recv(NULL, 0, MPI_INT, 1, 50, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < 4; i++)
            MPI_Start(&requests[i]);
        if (rank == 1)
            MPI_Send(NULL, 0, MPI_INT, 0, 50, MPI_COMM_WORLD);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        if (rank == 1)
            say_ints("modes", v, 4);
        CHECK(v[3] == 10 * round + 3);
    }
    for (int i = 0; i < 4; i++)
        MPI_Request_free(&requests[i]);
}

/* One persistent wildcard receive, started once per message. */
static void wildcard(void)
{
    int value, sum = 0;
    MPI_Request request;

    if (rank) {
        value = 1 << rank;
        MPI_Send(&value, 1, MPI_INT, 0, rank, MPI_COMM_WORLD);
        return;
    }
    MPI_Recv_init(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    for (int i = 1; i < size; i++) {
        MPI_Status status;
        MPI_Start(&request);
        MPI_Wait(&request, &status);
        CHECK(value == 1 << status.MPI_SOURCE && status.MPI_TAG == status.MPI_SOURCE);
        sum += value;
    }
    MPI_Request_free(&request);
    say("wildcard sum %d", sum);
}

int main(int argc, char **argv)
{
    static char room[1024 + 4 * MPI_BSEND_OVERHEAD];
    void *back;
    int bytes;

    begin(&argc, &argv);
    MPI_Buffer_attach(room, sizeof room);
    halo();
    modes();
    wildcard();
    MPI_Buffer_detach(&back, &bytes);
    return finish();
}
