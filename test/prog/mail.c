/*
 * Ranks that go on by what others show them, and cannot always: tags out of order, more messages than are shown, messages
 * that are too long for that among short ones, receives behind others that are pending, cancelled or freed, and collectives
 * in between.  Whatever a receive meets, it is the same as if everybody had asked.
 *
 * run: -n 2
 * run: -n 4
 */
#include "check.h"

enum { ROUNDS = 30, FLOOD = 600, LONG = 30000 };

static int right_of(int r)
{
    return (r + 1) % size;
}

static int left_of(int r)
{
    return (r + size - 1) % size;
}

static void send_value(int value, int tag)
{
    MPI_Send(&value, 1, MPI_INT, right_of(rank), tag, MPI_COMM_WORLD);
}

static int receive_value(int source, int tag)
{
    int value = -1;
    MPI_Recv(&value, 1, MPI_INT, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return value;
}

static void out_of_order(int round)
{
    for (int tag = 0; tag < 8; tag++)
        send_value(100 * round + tag, tag);
    for (int tag = 7; tag > 3; tag--)
        CHECK(receive_value(left_of(rank), tag) == 100 * round + tag);
    for (int tag = 0; tag < 4; tag++)
        CHECK(receive_value(left_of(rank), MPI_ANY_TAG) == 100 * round + tag);
}

/* The first are shown, the rest are not, and then some are again. */
static void more_than_is_shown(void)
{
    for (int i = 0; i < FLOOD; i++)
        send_value(i, i % 2);
    for (int i = 0; i < FLOOD; i += 2)
        CHECK(receive_value(left_of(rank), 0) == i);
    send_value(-7, 1);
    for (int i = 1; i < FLOOD; i += 2)
        CHECK(receive_value(left_of(rank), 1) == i);
    CHECK(receive_value(left_of(rank), 1) == -7);
}

static void long_among_short(int round)
{
    static int out[LONG], in[LONG];
    MPI_Request request;
    out[0] = out[LONG - 1] = round;
    send_value(1, 5);
    MPI_Isend(out, LONG, MPI_INT, right_of(rank), 5, MPI_COMM_WORLD, &request);
    send_value(2, 5);
    CHECK(receive_value(left_of(rank), 5) == 1);
    MPI_Recv(in, LONG, MPI_INT, left_of(rank), 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(in[0] == round && in[LONG - 1] == round);
    CHECK(receive_value(left_of(rank), 5) == 2);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Which of several pending receives meets what is decided by the order in which they were posted. */
static void behind_pending(int round)
{
    int value[4] = {-1, -1, -1, -1};
    MPI_Request request[4];
    MPI_Irecv(&value[0], 1, MPI_INT, left_of(rank), 6, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(&value[1], 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &request[1]);
    MPI_Irecv(&value[2], 1, MPI_INT, left_of(rank), MPI_ANY_TAG, MPI_COMM_WORLD, &request[2]);
    MPI_Irecv(&value[3], 1, MPI_INT, left_of(rank), 6, MPI_COMM_WORLD, &request[3]);
    for (int i = 0; i < 2; i++) {
        send_value(10 * round + i, 7);
        send_value(20 * round + i, 6);
    }
    MPI_Wait(&request[3], MPI_STATUS_IGNORE);
    MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
    CHECK(value[0] == 20 * round && value[1] == 10 * round && value[2] == 10 * round + 1 && value[3] == 20 * round + 1);
}

/* A message goes to the receive that was cancelled or to the one behind it, and none is lost. */
static void behind_cancelled(int round)
{
    int first = -1, second = -1, cancelled;
    MPI_Request request;
    MPI_Status status;
    MPI_Irecv(&first, 1, MPI_INT, left_of(rank), 8, MPI_COMM_WORLD, &request);
    send_value(round, 8);
    MPI_Cancel(&request);
    send_value(round + 1, 8);
    second = receive_value(left_of(rank), 8);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &cancelled);
    CHECK(cancelled ? first == -1 && second == round : first == round && second == round + 1);
    if (cancelled)
        CHECK(receive_value(left_of(rank), 8) == round + 1);
}

static void cancelled_send(int round)
{
    int value = round, cancelled, left, next;
    MPI_Request request;
    MPI_Status status;
    MPI_Isend(&value, 1, MPI_INT, right_of(rank), 9, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &cancelled);
    send_value(cancelled, 10);
    left = receive_value(left_of(rank), 10);
    send_value(-round, 9);
    if (!left)
        CHECK(receive_value(left_of(rank), 9) == round);
    next = receive_value(left_of(rank), 9);
    CHECK(next == -round);
}

static void collectives(int round)
{
    int sum, all[64] = {0}, mine = rank + round;
    MPI_Request request;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sum == size * (size - 1) / 2 + size * round);
    MPI_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(sum == size - 1 + round);
    MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        CHECK(all[i] == i + round);
}

/* From here on this rank asks for everything. */
static void freed_receive(void)
{
    static int freed = -1;
    MPI_Request request;
    MPI_Irecv(&freed, 1, MPI_INT, left_of(rank), 11, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    send_value(1, 11);
    send_value(2, 11);
    CHECK(receive_value(left_of(rank), 11) == 2);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(freed == 1);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (int round = 1; round <= ROUNDS; round++) {
        out_of_order(round);
        long_among_short(round);
        behind_pending(round);
        behind_cancelled(round);
        collectives(round);
    }
    more_than_is_shown();
    collectives(0);
    for (int round = 1; round <= ROUNDS; round++)
        cancelled_send(round);
    freed_receive();
    for (int round = 1; round <= ROUNDS; round++)
        out_of_order(round);
    say("done");
    return finish();
}
