/*
 * Intercommunicators: create, the two groups, messages across, merge, dup,
 * split, compare.
 *
 * run: -n 4
 */
#include "check.h"

static int side; /* ranks 0 and 1 are side 0, ranks 2 and 3 side 1 */

static MPI_Comm create(int tag)
{
    MPI_Comm local, inter;

    MPI_Comm_split(MPI_COMM_WORLD, side, 0, &local);
    MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, side ? 0 : 2, tag, &inter);
    MPI_Comm_free(&local);
    return inter;
}

static void describe(const char *what, MPI_Comm inter)
{
    int flag, me, n, there, mine = 0, remote[4], ranks[4] = {0, 1, 2, 3};
    MPI_Group world, group;

    MPI_Comm_test_inter(inter, &flag);
    MPI_Comm_rank(inter, &me);
    MPI_Comm_size(inter, &n);
    MPI_Comm_remote_size(inter, &there);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Comm_remote_group(inter, &group);
    MPI_Group_translate_ranks(group, there, ranks, world, remote);
    MPI_Group_free(&group);
    MPI_Comm_group(inter, &group);
    MPI_Group_translate_ranks(group, 1, &me, world, &mine);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    say("%s: inter %d, %d of %d", what, flag, me, n);
    say_ints("  remote", remote, there);
    CHECK(flag && mine == rank);
}

static void across(MPI_Comm inter)
{
    int me, got[2] = {-1, -1}, out = 100 * side + rank, any = -1;
    MPI_Request requests[2];
    MPI_Status status;

    MPI_Comm_rank(inter, &me);
    /* A destination counts in the remote group: my mirror image, then the other. */
    MPI_Sendrecv(&out, 1, MPI_INT, me, 0, &got[0], 1, MPI_INT, me, 0, inter, MPI_STATUS_IGNORE);
    MPI_Irecv(&got[1], 1, MPI_INT, 1 - me, 1, inter, &requests[0]);
    MPI_Isend(&out, 1, MPI_INT, 1 - me, 1, inter, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    say_ints("across", got, 2);
    MPI_Isend(&out, 1, MPI_INT, 1 - me, 2, inter, &requests[0]);
    MPI_Probe(MPI_ANY_SOURCE, 2, inter, &status);
    MPI_Recv(&any, 1, MPI_INT, MPI_ANY_SOURCE, 2, inter, &status);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    say("across: %d from %d", any, status.MPI_SOURCE);
    CHECK(status.MPI_SOURCE == 1 - me);
}

static void merge(MPI_Comm inter)
{
    MPI_Comm all;
    int members[4], me;

    for (int high = 0; high < 2; high++) {
        MPI_Intercomm_merge(inter, side == high, &all);
        MPI_Comm_rank(all, &me);
        MPI_Allgather(&rank, 1, MPI_INT, members, 1, MPI_INT, all);
        say_ints(high ? "merged" : "merged, lower half high", members, 4);
        CHECK(members[me] == rank && me == (high ? rank : (rank + 2) % 4));
        MPI_Comm_free(&all);
    }
}

int main(int argc, char **argv)
{
    MPI_Comm inter, other, part;
    int relation[2];

    begin(&argc, &argv);
    side = rank / 2;
    inter = create(11);
    describe("created", inter);
    across(inter);
    merge(inter);

    MPI_Comm_dup(inter, &other);
    describe("dup", other);
    across(other);
    MPI_Comm_compare(inter, other, &relation[0]);
    MPI_Comm_compare(inter, MPI_COMM_WORLD, &relation[1]);
    CHECK(relation[0] == MPI_CONGRUENT && relation[1] == MPI_UNEQUAL);
    MPI_Comm_free(&other);

    MPI_Comm_split(inter, rank % 2, 0, &part);
    describe("split", part);
    MPI_Comm_free(&part);
    MPI_Comm_free(&inter);
    return finish();
}
