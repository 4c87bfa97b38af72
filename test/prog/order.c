/*
 * Messages of one channel do not overtake; those of other tags and
 * communicators may.
 *
 * run: -n 2
 */
#include "check.h"

enum { N = 20 };

static void same_channel(void)
{
    int v[N], sorted = 1;
    MPI_Request requests[N];

    for (int i = 0; i < N; i++) {
        v[i] = rank == 0 ? 3 * i : -1;
        if (rank == 0)
            MPI_Isend(&v[i], 1, MPI_INT, 1, i % 2, MPI_COMM_WORLD, &requests[i]);
        else
            MPI_Irecv(&v[i], 1, MPI_INT, i % 3 ? 0 : MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                      &requests[i]);
    }
    MPI_Waitall(N, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < N; i++)
        sorted &= v[i] == 3 * i;
    if (rank == 1)
        say("any tag: in order %d, last %d", sorted, v[N - 1]);
    CHECK(sorted);
}

/* Large and small, synchronous and not, in turns. */
static void sizes_and_modes(void)
{
    static int v[4][50000];
    int firsts[4];
    MPI_Request requests[4];

    for (int i = 0; i < 4; i++) {
        int n = i % 2 ? 1 : 50000;
        v[i][0] = rank == 0 ? 7 + i : 0;
        if (rank == 1)
            MPI_Irecv(v[i], 50000, MPI_INT, 0, 5, MPI_COMM_WORLD, &requests[i]);
        else if (i < 2)
            MPI_Isend(v[i], n, MPI_INT, 1, 5, MPI_COMM_WORLD, &requests[i]);
        else
            MPI_Issend(v[i], n, MPI_INT, 1, 5, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 4; i++)
        firsts[i] = v[i][0];
    if (rank == 1)
        say_ints("large and small", firsts, 4);
    CHECK(firsts[3] == 10);
}

/* Sent first, received last: other tag, other communicator. */
static void may_overtake(void)
{
    int v[3] = {61, 62, 63};
    MPI_Comm other;
    MPI_Request requests[3];

    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    if (rank == 0) {
        MPI_Isend(&v[0], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(&v[1], 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &requests[1]);
        MPI_Isend(&v[2], 1, MPI_INT, 1, 1, other, &requests[2]);
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    } else {
        MPI_Recv(&v[0], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, other, MPI_STATUS_IGNORE);
        MPI_Recv(&v[1], 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&v[2], 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        say_ints("overtaken", v, 3);
        CHECK(v[0] == 63 && v[2] == 61);
    }
    MPI_Comm_free(&other);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    same_channel();
    sizes_and_modes();
    may_overtake();
    return finish();
}
