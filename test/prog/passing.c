/*
 * Messages that ranks hand to each other while tourney reads along, and calls in between of which it has to know all of them: waits for some
 * of the requests, tests, probes, receives from any source, and requests of sends that are waited for long after their messages were received.  What
 * is done is drawn by all ranks alike.
 *
 * run: -n 2
 * run: -n 3
 * run: -n 4
 */
#include "check.h"

enum { ROUNDS = 600, MESSAGES = 6 };

static unsigned drawn = 12345;
static MPI_Comm comm;

static int draw(int n)
{
    drawn = drawn * 1103515245u + 12345u;
    return (int)(drawn >> 16) % n;
}

static int right_of(int r)
{
    return (r + 1) % size;
}

static int left_of(int r)
{
    return (r + size - 1) % size;
}

static int value_of(int round, int from, int i)
{
    return 100 * round + 10 * from + i;
}

/* In which order, and by which calls, receives are waited for. */
static void wait_in_some_way(MPI_Request *request, int n, int way)
{
    int index, flag = 0;
    switch (way) {
    case 0:
        MPI_Waitall(n, request, MPI_STATUSES_IGNORE);
        break;
    case 1:
        for (int i = n; i-- > 0;)
            MPI_Wait(&request[i], MPI_STATUS_IGNORE);
        break;
    case 2:
        for (int i = 0; i < n; i++)
            MPI_Waitany(n, request, &index, MPI_STATUS_IGNORE);
        break;
    case 3:
        while (!flag)
            MPI_Testall(n, request, &flag, MPI_STATUSES_IGNORE);
        break;
    case 4:
        MPI_Waitall(n / 2, request, MPI_STATUSES_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Waitall(n - n / 2, request + n / 2, MPI_STATUSES_IGNORE);
        break;
    }
}

static void exchange(int round, int way, int late, int reversed)
{
    static MPI_Request kept[MESSAGES];
    static int out[MESSAGES], keeps;
    int in[MESSAGES];
    MPI_Request request[MESSAGES];
    if (keeps && !late) {
        MPI_Waitall(MESSAGES, kept, MPI_STATUSES_IGNORE);
        keeps = 0;
    }
    for (int i = 0; i < MESSAGES; i++)
        MPI_Irecv(&in[i], 1, MPI_INT, left_of(rank), reversed ? MESSAGES - i : 0, comm, &request[i]);
    for (int i = 0; i < MESSAGES; i++) {
        int value = value_of(round, rank, i);
        if (keeps) {
            MPI_Send(&value, 1, MPI_INT, right_of(rank), reversed ? i + 1 : 0, comm);
            continue;
        }
        out[i] = value;
        MPI_Isend(&out[i], 1, MPI_INT, right_of(rank), reversed ? i + 1 : 0, comm, &kept[i]);
    }
    keeps = 1;
    wait_in_some_way(request, MESSAGES, way);
    for (int i = 0; i < MESSAGES; i++)
        CHECK(in[i] == value_of(round, left_of(rank), reversed ? MESSAGES - 1 - i : i));
    if (round == ROUNDS)
        MPI_Waitall(MESSAGES, kept, MPI_STATUSES_IGNORE);
}

/* To the first rank, which takes them as they come, or looks before. */
static void collect(int round, int looks)
{
    int value = rank, sum = 0, there = 2 * round, back = there + 1;
    if (rank != 0) {
        MPI_Send(&value, 1, MPI_INT, 0, there, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, 0, back, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK(value == round);
        return;
    }
    for (int i = 1; i < size; i++) {
        MPI_Status status = {.MPI_SOURCE = MPI_ANY_SOURCE};
        if (looks)
            MPI_Probe(MPI_ANY_SOURCE, there, MPI_COMM_WORLD, &status);
        MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, there, MPI_COMM_WORLD, &status);
        CHECK(value == status.MPI_SOURCE);
        sum += value;
        MPI_Send(&round, 1, MPI_INT, status.MPI_SOURCE, back, MPI_COMM_WORLD);
    }
    CHECK(sum == size * (size - 1) / 2);
}

static void reduce(int round)
{
    int sum, mine = rank + round;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sum == size * (size - 1) / 2 + size * round);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int round = 1; round <= ROUNDS; round++) {
        int way = draw(8);
        exchange(round, way < 5 ? way : 0, draw(3) == 0, draw(2));
        if (draw(4) == 0)
            collect(round, draw(2));
        if (draw(3) == 0)
            reduce(round);
    }
    MPI_Comm_free(&comm);
    say("done");
    return finish();
}
