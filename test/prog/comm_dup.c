/*
 * Dup, Idup, Dup_with_info: same group, a context of its own.
 *
 * run: -n 3
 * compare: each
 */
#include "check.h"

static void own_context(const char *what, MPI_Comm comm)
{
    int relation, me, n, values[2] = {-1, -1}, mine[2] = {rank, 10 + rank};
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Request requests[4];

    MPI_Comm_compare(comm, MPI_COMM_WORLD, &relation);
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &n);
    CHECK(relation == MPI_CONGRUENT && me == rank && n == size);
    /* The wildcards of one communicator must not take the other's message. */
    MPI_Irecv(&values[0], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &requests[0]);
    MPI_Irecv(&values[1], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(&mine[1], 1, MPI_INT, right, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(&mine[0], 1, MPI_INT, right, 0, comm, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    say("%s: %d %d", what, values[0], values[1]);
    CHECK(values[0] == left && values[1] == 10 + left);
}

static void overlapping(void)
{
    MPI_Comm copies[3], deep;
    MPI_Request requests[3];
    int sums[3];

    for (int i = 0; i < 3; i++)
        MPI_Comm_idup(MPI_COMM_WORLD, &copies[i], &requests[i]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 3; i++)
        MPI_Allreduce(&(int){rank + i}, &sums[i], 1, MPI_INT, MPI_SUM, copies[2 - i]);
    say_ints("three idups", sums, 3);
    CHECK(sums[2] == sums[0] + 2 * size);
    MPI_Comm_dup(copies[1], &deep);
    for (int i = 0; i < 3; i++)
        MPI_Comm_free(&copies[i]);
    /* A copy outlives what it was copied from. */
    own_context("copy of a copy", deep);
    MPI_Comm_free(&deep);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    MPI_Info info;
    MPI_Request request;

    begin(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    own_context("dup", comm);
    MPI_Comm_free(&comm);
    CHECK(comm == MPI_COMM_NULL);

    MPI_Comm_idup(MPI_COMM_WORLD, &comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    own_context("idup", comm);
    MPI_Comm_free(&comm);

    MPI_Info_create(&info);
    MPI_Info_set(info, "speed", "low");
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm);
    MPI_Info_free(&info);
    own_context("dup_with_info", comm);
    MPI_Comm_get_info(comm, &info);
    MPI_Comm_set_info(comm, info);
    MPI_Info_free(&info);
    MPI_Comm_free(&comm);

#if MPI_VERSION >= 4
    MPI_Comm_idup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    own_context("idup_with_info", comm);
    MPI_Comm_free(&comm);
#endif
    overlapping();
    return finish();
}
