/*
 * Comm_compare in all four answers; names; rank and size of predefined ones.
 *
 * run: -n 3
 */
#include "check.h"

static const char *relation(MPI_Comm a, MPI_Comm b)
{
    int result;

    MPI_Comm_compare(a, b, &result);
    return result == MPI_IDENT       ? "identical"
           : result == MPI_CONGRUENT ? "congruent"
           : result == MPI_SIMILAR   ? "similar"
                                     : "unequal";
}

static const char *name_of(MPI_Comm comm)
{
    static char name[MPI_MAX_OBJECT_NAME];
    int length;

    MPI_Comm_get_name(comm, name, &length);
    CHECK((int)strlen(name) == length);
    return name;
}

int main(int argc, char **argv)
{
    MPI_Comm copy, reversed, part, same, grid;
    int periodic = 0, flag;

    begin(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0, 0, &part);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &grid);
    same = copy;
    say("world: itself %s, copy %s, reversed %s, part %s, grid %s",
        relation(MPI_COMM_WORLD, MPI_COMM_WORLD), relation(MPI_COMM_WORLD, copy),
        relation(MPI_COMM_WORLD, reversed), relation(MPI_COMM_WORLD, part),
        relation(grid, MPI_COMM_WORLD));
    say("copy and itself %s, self %s", relation(copy, same), relation(MPI_COMM_SELF, part));
    CHECK(!strcmp(relation(MPI_COMM_WORLD, reversed), "similar"));

    say("names: %s, %s, new '%s'", strdup(name_of(MPI_COMM_WORLD)), strdup(name_of(MPI_COMM_SELF)),
        name_of(part));
    MPI_Comm_set_name(part, rank ? "the others" : "the first");
    say("named %s", name_of(part));
    MPI_Comm_set_name(part, "");
    CHECK(name_of(part)[0] == 0);
    MPI_Comm_test_inter(copy, &flag);
    CHECK(!flag);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&reversed);
    MPI_Comm_free(&part);
    MPI_Comm_free(&grid);
    return finish();
}
