/*
 * Matched probes: a message found is taken out of matching until received.
 *
 * run: -n 3
 */
#include "check.h"

static void taken_out(void)
{
    int first = 0, second = 0, n;
    MPI_Message message;
    MPI_Status status;

    MPI_Mprobe(1, 4, MPI_COMM_WORLD, &message, &status);
    MPI_Get_count(&status, MPI_INT, &n);
    /* The second message of the channel overtakes the one we hold. */
    MPI_Recv(&second, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Mrecv(&first, 1, MPI_INT, &message, &status);
    say("held %d then %d, count %d, from %d", first, second, n, status.MPI_SOURCE);
    CHECK(first == 101 && second == 102 && message == MPI_MESSAGE_NULL);
}

static void any_source(void)
{
    int values[2], order[2];
    MPI_Message messages[2];
    MPI_Request requests[2];
    MPI_Status status;

    for (int i = 0; i < 2; i++) {
        MPI_Mprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &messages[i], &status);
        order[i] = status.MPI_SOURCE;
    }
    for (int i = 0; i < 2; i++)
        MPI_Imrecv(&values[i], 1, MPI_INT, &messages[i], &requests[i]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    say("sum %d", values[0] + values[1]);
    for (int i = 0; i < 2; i++)
        CHECK(values[i] == 200 * order[i]);
}

static void polled(void)
{
    int there, value = 0;
    MPI_Message message;
    MPI_Request request;
    MPI_Status status;

    do
        MPI_Improbe(2, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &message, &status);
    while (!there);
    MPI_Imrecv(&value, 1, MPI_INT, &message, &request);
    MPI_Wait(&request, &status);
    say("improbe %d tag %d", value, status.MPI_TAG);

    MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &message, &status);
    CHECK(!there);

    MPI_Mprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &message, &status);
    CHECK(message == MPI_MESSAGE_NO_PROC);
    MPI_Mrecv(&value, 1, MPI_INT, &message, &status);
    say("no proc: source is null %d, message is null %d", status.MPI_SOURCE == MPI_PROC_NULL,
        message == MPI_MESSAGE_NULL);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    if (rank == 0) {
        taken_out();
        any_source();
        polled();
    } else {
        int values[2] = {100 + rank, 101 + rank}, mine = 200 * rank, last = 33;
        MPI_Request requests[2];
        if (rank == 1) {
            for (int i = 0; i < 2; i++)
                MPI_Isend(&values[i], 1, MPI_INT, 0, 4, MPI_COMM_WORLD, &requests[i]);
            MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        }
        MPI_Send(&mine, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
        if (rank == 2)
            MPI_Send(&last, 1, MPI_INT, 0, 77, MPI_COMM_WORLD);
    }
    return finish();
}
