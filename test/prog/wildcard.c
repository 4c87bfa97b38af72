/*
 * Any source and any tag: each alone, both, mixed with named receives.
 *
 * run: -n 4
 */
#include "check.h"

static void any_source(void)
{
    int sum = 0, from = 0;

    for (int i = 1; i < size; i++) {
        int value;
        MPI_Status status;
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
        CHECK(value == 10 * status.MPI_SOURCE && status.MPI_TAG == 1);
        sum += value;
        from |= 1 << status.MPI_SOURCE;
    }
    say("any source: sum %d from mask %d", sum, from);
}

static void any_tag(void)
{
    int tags[3], values[3];

    for (int i = 0; i < 3; i++) {
        MPI_Status status;
        MPI_Recv(&values[i], 1, MPI_INT, 1, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        tags[i] = status.MPI_TAG;
    }
    say_ints("any tag, in the order sent", tags, 3);
    say_ints("values", values, 3);
    CHECK(tags[0] == 30 && tags[1] == 31 && tags[2] == 32);
}

/* The wildcard posted first takes rank 2's only message, the named one rank 3's. */
static void named_behind_wildcard(void)
{
    int a = -1, b = -1;
    MPI_Request requests[2];
    MPI_Status statuses[2];

    MPI_Irecv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 42, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&b, 1, MPI_INT, 3, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[1]);
    MPI_Send(NULL, 0, MPI_INT, 2, 0, MPI_COMM_WORLD);
    MPI_Send(NULL, 0, MPI_INT, 3, 0, MPI_COMM_WORLD);
    MPI_Waitall(2, requests, statuses);
    say("wildcard %d from %d, named %d tag %d", a, statuses[0].MPI_SOURCE, b,
        statuses[1].MPI_TAG);
    CHECK(a == 20 && b == 30 && statuses[1].MPI_TAG == 43);
}

static void many_posted(void)
{
    int v[6], sum = 0;
    MPI_Request requests[6];

    for (int i = 0; i < 6; i++)
        MPI_Irecv(&v[i], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[i]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Waitall(6, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 6; i++)
        sum += v[i];
    say("six posted: sum %d", sum);
    CHECK(sum == 2 * (10 + 20 + 30));
}

int main(int argc, char **argv)
{
    int mine;

    begin(&argc, &argv);
    mine = 10 * rank;
    if (rank == 0) {
        any_source();
        any_tag();
        named_behind_wildcard();
        many_posted();
    } else {
        MPI_Send(&mine, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        for (int i = 0; i < 3 && rank == 1; i++)
            MPI_Send(&i, 1, MPI_INT, 0, 30 + i, MPI_COMM_WORLD);
        if (rank > 1) {
            MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&mine, 1, MPI_INT, 0, 40 + rank, MPI_COMM_WORLD);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        for (int i = 0; i < 2; i++)
            MPI_Send(&mine, 1, MPI_INT, 0, 50 + i, MPI_COMM_WORLD);
    }
    return finish();
}
