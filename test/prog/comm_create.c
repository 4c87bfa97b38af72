/*
 * Comm_create (collective over all, disjoint groups too) and Comm_create_group
 * (collective over the group alone).
 *
 * run: -n 4
 */
#include "check.h"

static MPI_Group group_of(int n, const int *members)
{
    MPI_Group world, group;

    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, n, members, &group);
    MPI_Group_free(&world);
    return group;
}

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
    say("%s: %d of %d, first %d last %d", what, me, n, members[0], members[n - 1]);
    CHECK(members[me] == rank);
    MPI_Comm_free(&comm);
}

static void create(void)
{
    MPI_Group some = group_of(3, (int[]){3, 0, 1}), pair;
    MPI_Comm comm;

    MPI_Comm_create(MPI_COMM_WORLD, some, &comm);
    describe("three", comm);
    MPI_Group_free(&some);

    pair = group_of(2, rank % 2 ? (int[]){1, 3} : (int[]){2, 0});
    MPI_Comm_create(MPI_COMM_WORLD, pair, &comm);
    describe("two disjoint pairs", comm);
    MPI_Group_free(&pair);

    MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_EMPTY, &comm);
    describe("empty", comm);
}

static void create_group(void)
{
    MPI_Group trio = group_of(3, (int[]){2, 1, 3}), pair = group_of(2, (int[]){0, 1});
    MPI_Comm comm;

    /* Rank 0 takes no part in the first, ranks 2 and 3 none in the second. */
    if (rank > 0) {
        MPI_Comm_create_group(MPI_COMM_WORLD, trio, 5, &comm);
        describe("trio", comm);
    }
    if (rank < 2) {
        MPI_Comm_create_group(MPI_COMM_WORLD, pair, 6, &comm);
        describe("pair", comm);
    }
    MPI_Group_free(&trio);
    MPI_Group_free(&pair);
}

int main(int argc, char **argv)
{
    MPI_Comm parent;

    begin(&argc, &argv);
    create();
    create_group();
    MPI_Comm_get_parent(&parent);
    CHECK(parent == MPI_COMM_NULL);
    return finish();
}
