/*
 * Groups: set operations, incl, excl, ranges, translate, compare, empty.
 *
 * run: -n 4
 */
#include "check.h"

static MPI_Group world;

static void members(const char *what, MPI_Group group)
{
    int n, me, all[8], ranks[8] = {0, 1, 2, 3, 4, 5, 6, 7};

    MPI_Group_size(group, &n);
    MPI_Group_rank(group, &me);
    MPI_Group_translate_ranks(group, n, ranks, world, all);
    say_ints(what, all, n);
    if (me == MPI_UNDEFINED)
        say("  not in it");
    else
        CHECK(all[me] == rank);
    if (group != MPI_GROUP_EMPTY)
        MPI_Group_free(&group);
}

static const char *relation(MPI_Group a, MPI_Group b)
{
    int result;

    MPI_Group_compare(a, b, &result);
    return result == MPI_IDENT ? "identical" : result == MPI_SIMILAR ? "similar" : "unequal";
}

static MPI_Group including(int n, const int *ranks)
{
    MPI_Group group;

    MPI_Group_incl(world, n, ranks, &group);
    return group;
}

int main(int argc, char **argv)
{
    MPI_Group a, b, c, group;
    int low[3] = {2, 0, 1}, high[2] = {3, 2}, sorted[3] = {0, 1, 2};
    int up[1][3] = {{0, 3, 2}}, down[2][3] = {{3, 2, -1}, {0, 0, 1}}, there[3];

    begin(&argc, &argv);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    a = including(3, low);
    b = including(2, high);
    c = including(3, sorted);
    MPI_Group_union(a, b, &group), members("union", group);
    MPI_Group_intersection(b, a, &group), members("intersection", group);
    MPI_Group_difference(a, b, &group), members("difference", group);
    MPI_Group_excl(world, 2, high, &group), members("excl", group);
    MPI_Group_range_incl(world, 1, up, &group), members("range_incl 0:3:2", group);
    MPI_Group_range_incl(world, 2, down, &group), members("range_incl 3:2:-1 0", group);
    MPI_Group_range_excl(world, 1, up, &group), members("range_excl 0:3:2", group);
    MPI_Group_difference(a, a, &group), members("nothing", group);
    MPI_Group_incl(world, 0, NULL, &group), members("incl of none", group);
    members("empty", MPI_GROUP_EMPTY);

    say("compare: %s, %s, %s", relation(a, a), relation(a, c), relation(a, b));
    MPI_Group_translate_ranks(a, 3, sorted, b, there);
    for (int i = 0; i < 3; i++)
        there[i] = there[i] == MPI_UNDEFINED ? -1 : there[i];
    say_ints("translated", there, 3);
    CHECK(there[0] == 1 && there[1] == -1);
    MPI_Group_translate_ranks(a, 1, &(int){MPI_PROC_NULL}, b, there);
    CHECK(there[0] == MPI_PROC_NULL);
    CHECK(group != MPI_GROUP_NULL);
    MPI_Group_free(&a);
    CHECK(a == MPI_GROUP_NULL);
    MPI_Group_free(&b);
    MPI_Group_free(&c);
    MPI_Group_free(&world);
    return finish();
}
