/*
 * Non-blocking collectives on two communicators together with messages, in one
 * Waitall, Waitany, Testall or Waitsome; blocking calls in between; in place.
 *
 * run: -n 3
 */
#include "check.h"

static MPI_Comm other;

static void waitall(void)
{
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    int sum = 0, got = -1, root_value = rank == 2 ? 77 : 0, one = 1;
    MPI_Request requests[5];

    MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&got, 1, MPI_INT, left, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Ibcast(&root_value, 1, MPI_INT, 2, other, &requests[2]);
    MPI_Isend(&rank, 1, MPI_INT, right, 0, MPI_COMM_WORLD, &requests[3]);
    MPI_Ibarrier(other, &requests[4]);
    /* A blocking collective of another communicator overtakes them. */
    MPI_Allreduce(MPI_IN_PLACE, &one, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Waitall(5, requests, MPI_STATUSES_IGNORE);
    say("waitall: sum %d got %d bcast %d ranks %d", sum, got, root_value, one);
    CHECK(sum == size * (size - 1) / 2 && got == left && root_value == 77);
}

static void waitany(void)
{
    int peer = size - 1 - rank, v[3] = {rank, -1, -1}, seen = 0, index;
    MPI_Request requests[4];

    MPI_Irecv(&v[1], 1, MPI_INT, MPI_ANY_SOURCE, 1, other, &requests[0]);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(&v[0], 1, MPI_INT, peer, 1, other, &requests[2]);
    MPI_Iscan(&v[0], &v[2], 1, MPI_INT, MPI_SUM, other, &requests[3]);
    for (int i = 0; i < 4; i++) {
        MPI_Waitany(4, requests, &index, MPI_STATUS_IGNORE);
        seen |= 1 << index;
    }
    say("waitany: seen %d got %d scan %d", seen, v[1], v[2]);
    CHECK(seen == 15 && v[1] == peer);
    MPI_Waitany(4, requests, &index, MPI_STATUS_IGNORE);
    CHECK(index == MPI_UNDEFINED);
}

static void polled(void)
{
    int all[3] = {0}, sum = 0, flag = 0, done = 0, outcount, indices[2];
    MPI_Request requests[2];

    all[rank] = rank * rank;
    MPI_Iallgather(MPI_IN_PLACE, 0, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, &requests[0]);
    MPI_Ireduce(&rank, &sum, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD, &requests[1]);
    while (!flag)
        MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE);
    say("testall: %d %d %d max at root %d", all[0], all[1], all[2], sum);
    CHECK(all[2] == 4);

    MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
    MPI_Ibarrier(other, &requests[1]);
    while (done < 2) {
        MPI_Waitsome(2, requests, &outcount, indices, MPI_STATUSES_IGNORE);
        done += outcount;
    }
    say("waitsome: %d", done);
}

/* Twenty outstanding reductions, each with a value of its own. */
static void many(void)
{
    int v[20], out[20];
    MPI_Request requests[20];

    for (int i = 0; i < 20; i++) {
        v[i] = i * (rank + 1);
        MPI_Iallreduce(&v[i], &out[i], 1, MPI_INT, MPI_SUM, i % 2 ? MPI_COMM_WORLD : other,
                       &requests[i]);
    }
    for (int i = 19; i >= 0; i--)
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    say_ints("many", out, 20);
    CHECK(out[19] == 19 * size * (size + 1) / 2);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    waitall();
    waitany();
    polled();
    many();
    MPI_Comm_free(&other);
    return finish();
}
