/*
 * Programs that poll: Test, Testany, Iprobe in loops, in both directions.
 *
 * run: -n 3
 */
#include "check.h"

/* Every rank polls for a token that only one holds. */
static void token(void)
{
    int value = 0, flag = 0;
    MPI_Request request;

    if (rank > 0) {
        MPI_Irecv(&value, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, &request);
        while (!flag)
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    }
    value += 1 << rank;
    if (rank + 1 < size) {
        flag = 0;
        MPI_Isend(&value, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD, &request);
        while (!flag)
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    }
    say("token %d", value);
    CHECK(value == (1 << (rank + 1)) - 1);
}

/* Serves whoever comes until all have said goodbye, with Iprobe. */
static void server(void)
{
    int open = size - 1, value, there, sum = 0;
    MPI_Status status;

    while (open > 0) {
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
        if (!there)
            continue;
        MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        if (status.MPI_TAG == 9) {
            open--;
            continue;
        }
        sum += value;
        value *= 2;
        MPI_Send(&value, 1, MPI_INT, status.MPI_SOURCE, 1, MPI_COMM_WORLD);
    }
    say("served sum %d", sum);
}

static void client(void)
{
    int value = rank, index, flag = 0;
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};

    for (int i = 0; i < 3; i++) {
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Irecv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[1]);
        do
            MPI_Testany(2, requests, &index, &flag, MPI_STATUS_IGNORE);
        while (!flag);
        CHECK(index == 1);
    }
    MPI_Send(&value, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
    say("answer %d", value);
    CHECK(value == 8 * rank);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    token();
    if (rank == 0)
        server();
    else
        client();
    return finish();
}
