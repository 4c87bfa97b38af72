/*
 * Bcast from every root: builtin and derived types, long and empty messages.
 *
 * run: -n 4
 */
#include "check.h"

static void every_root(void)
{
    int got[4] = {0};

    for (int root = 0; root < size; root++) {
        int v[3] = {rank, rank * 10, rank * 100};
        MPI_Bcast(v, 3, MPI_INT, root, MPI_COMM_WORLD);
        got[root] = v[0] + v[1] + v[2];
        CHECK(got[root] == 111 * root);
    }
    say_ints("every root", got, size);
}

/* The root sends every other element, the others receive them packed. */
static void other_type_at_root(void)
{
    double v[8];
    MPI_Datatype strided;

    MPI_Type_vector(4, 1, 2, MPI_DOUBLE, &strided);
    MPI_Type_commit(&strided);
    for (int i = 0; i < 8; i++)
        v[i] = rank == 2 ? i + 0.5 : -1;
    if (rank == 2)
        MPI_Bcast(v, 1, strided, 2, MPI_COMM_WORLD);
    else
        MPI_Bcast(v, 4, MPI_DOUBLE, 2, MPI_COMM_WORLD);
    say("strided %g %g %g %g %g", v[0], v[1], v[2], v[3], v[4]);
    CHECK(rank == 2 || (v[3] == 6.5 && v[4] == -1));
    MPI_Type_free(&strided);
}

static void long_and_empty(void)
{
    static int v[100000];
    long sum = 0;

    for (int i = 0; i < LENGTH(v); i++)
        v[i] = rank == 1 ? i : 0;
    MPI_Bcast(v, LENGTH(v), MPI_INT, 1, MPI_COMM_WORLD);
    for (int i = 0; i < LENGTH(v); i++)
        sum += v[i];
    say("long %ld", sum);
    CHECK(sum == 4999950000);
    MPI_Bcast(NULL, 0, MPI_INT, 3, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    every_root();
    other_type_at_root();
    long_and_empty();
    return finish();
}
