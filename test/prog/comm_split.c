/*
 * Split: colours, keys that reorder, equal keys, MPI_UNDEFINED, one's own;
 * split of a split; Split_type by shared memory.
 *
 * run: -n 4
 */
#include "check.h"

static void describe(const char *what, MPI_Comm comm)
{
    int me, n, members[8];

    if (comm == MPI_COMM_NULL) {
        say("%s: null", what);
        return;
    }
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &n);
    MPI_Allgather(&rank, 1, MPI_INT, members, 1, MPI_INT, comm);
    say("%s: %d of %d", what, me, n);
    say_ints("  members", members, n);
    CHECK(members[me] == rank);
    /* Point to point by the new numbers: to the next, from the one before. */
    int got;
    MPI_Sendrecv(&rank, 1, MPI_INT, (me + 1) % n, 0, &got, 1, MPI_INT, (me + n - 1) % n, 0, comm,
                 MPI_STATUS_IGNORE);
    CHECK(got == members[(me + n - 1) % n]);
    MPI_Comm_free(&comm);
}

static MPI_Comm split(MPI_Comm from, int color, int key)
{
    MPI_Comm comm;

    MPI_Comm_split(from, color, key, &comm);
    return comm;
}

int main(int argc, char **argv)
{
    MPI_Comm half, comm;
    int me;

    begin(&argc, &argv);
    describe("even and odd", split(MPI_COMM_WORLD, rank % 2, 0));
    describe("reversed", split(MPI_COMM_WORLD, 7, -rank));
    describe("ties", split(MPI_COMM_WORLD, 0, rank < 2 ? 5 : 1));
    describe("without rank 2", split(MPI_COMM_WORLD, rank == 2 ? MPI_UNDEFINED : 1, 0));
    describe("nobody", split(MPI_COMM_WORLD, MPI_UNDEFINED, 0));
    describe("alone", split(MPI_COMM_WORLD, rank, 0));

    half = split(MPI_COMM_WORLD, rank / 2, -rank);
    MPI_Comm_rank(half, &me);
    describe("quarter", split(half, me, 0));
    describe("half again", split(half, 0, me));
    MPI_Comm_free(&half);

    /* All ranks run on one machine, here and under mpiexec. */
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, -rank, MPI_INFO_NULL, &comm);
    describe("shared", comm);
    MPI_Comm_split_type(MPI_COMM_WORLD, rank ? MPI_COMM_TYPE_SHARED : MPI_UNDEFINED, 0,
                        MPI_INFO_NULL, &comm);
    describe("shared without rank 0", comm);
    return finish();
}
