/*
 * Sendrecv and Sendrecv_replace in a ring, with oneself, with different sizes.
 *
 * run: -n 3
 * compare: each
 */
#include "check.h"

static void ring(void)
{
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    int mine[2] = {rank, rank * rank}, got[2];
    MPI_Status status;

    MPI_Sendrecv(mine, 2, MPI_INT, right, rank, got, 2, MPI_INT, left, left, MPI_COMM_WORLD,
                 &status);
    say("ring %d %d from %d tag %d", got[0], got[1], status.MPI_SOURCE, status.MPI_TAG);
    CHECK(got[1] == left * left);

    for (int i = 0; i < size; i++)
        MPI_Sendrecv_replace(mine, 2, MPI_INT, right, 5, left, 5, MPI_COMM_WORLD, &status);
    say_ints("once around", mine, 2);
    CHECK(mine[0] == rank);

    MPI_Sendrecv_replace(mine, 2, MPI_INT, right, 6, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                         &status);
    say("one step %d %d from %d tag %d", mine[0], mine[1], status.MPI_SOURCE, status.MPI_TAG);
}

static void oneself(void)
{
    int out = 40 + rank, in = -1, count;
    double wide[4] = {0};
    short narrow[3] = {1, 2, (short)rank};
    MPI_Status status;

    MPI_Sendrecv(&out, 1, MPI_INT, rank, 1, &in, 1, MPI_INT, rank, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    say("self %d", in);
    CHECK(in == out);

    MPI_Sendrecv(narrow, 3, MPI_SHORT, rank, 2, wide, 4 * sizeof *wide / sizeof *narrow, MPI_SHORT,
                 rank, 2, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_SHORT, &count);
    say("self short %d: %d", count, ((short *)wide)[2]);
    CHECK(count == 3);
}

static void ends_of_a_line(void)
{
    int right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int in = -7, both = 10 * rank;
    MPI_Status status;

    MPI_Sendrecv(&rank, 1, MPI_INT, right, 3, &in, 1, MPI_INT, left, 3, MPI_COMM_WORLD, &status);
    say("line %d", in);
    CHECK(in == (rank ? left : -7));
    CHECK(rank || (status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG));

    MPI_Sendrecv_replace(&both, 1, MPI_INT, right, 4, left, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    say("line replaced %d", both);
}

static void without_waiting(void)
{
#if MPI_VERSION >= 4
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    int in = -1, both = 100 + rank;
    MPI_Request requests[2];

    MPI_Isendrecv(&rank, 1, MPI_INT, right, 8, &in, 1, MPI_INT, left, 8, MPI_COMM_WORLD,
                  &requests[0]);
    MPI_Isendrecv_replace(&both, 1, MPI_INT, right, 9, left, 9, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    say("isendrecv %d %d", in, both);
    CHECK(in == left && both == 100 + left);
#endif
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    ring();
    oneself();
    ends_of_a_line();
    without_waiting();
    return finish();
}
