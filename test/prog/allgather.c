/*
 * Allgather and Allgatherv: plain, in place, empty parts, different types.
 *
 * run: -n 3
 */
#include "check.h"

enum { MAX = 8 };

static void plain(void)
{
    int mine[2] = {rank, -rank}, all[2 * MAX];

    MPI_Allgather(mine, 2, MPI_INT, all, 2, MPI_INT, MPI_COMM_WORLD);
    say_ints("allgather", all, 2 * size);
    CHECK(all[2 * size - 1] == 1 - size);

    memset(all, 0, sizeof all);
    all[rank] = 3 * rank + 1;
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, MPI_COMM_WORLD);
    say_ints("in place", all, size);
    CHECK(all[0] == 1 && all[size - 1] == 3 * size - 2);
}

static void uneven(void)
{
    int counts[MAX], places[MAX], mine[MAX], all[MAX * MAX];

    for (int r = 0; r < size; r++) {
        counts[r] = size - 1 - r; /* the last has none */
        places[r] = r * size;
    }
    memset(all, -1, sizeof all);
    for (int i = 0; i < MAX; i++)
        mine[i] = 100 * rank + i;
    MPI_Allgatherv(mine, counts[rank], MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
    say_ints("allgatherv", all, size * size);
    CHECK(all[size - 1] == -1);

    for (int i = 0; i < counts[rank]; i++)
        all[places[rank] + i] = 9 - rank;
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
    say_ints("in place", all, size * size);
    CHECK(all[0] == 9 && all[size] == 8);
}

/* Pairs of ints are sent, single ints received, with a hole behind each pair. */
static void types(void)
{
    int mine[4] = {rank, 5, 6, rank * rank}, all[5 * MAX];
    MPI_Datatype ends, spaced, part;
    int lengths[1] = {2};
    int offsets[1] = {0};

    MPI_Type_vector(2, 1, 3, MPI_INT, &ends); /* first and fourth */
    MPI_Type_commit(&ends);
    MPI_Type_indexed(1, lengths, offsets, MPI_INT, &part);
    MPI_Type_create_resized(part, 0, 3 * sizeof(int), &spaced);
    MPI_Type_commit(&spaced);
    memset(all, -1, sizeof all);
    MPI_Allgather(mine, 1, ends, all, 1, spaced, MPI_COMM_WORLD);
    say_ints("types", all, 3 * size);
    CHECK(all[2] == -1 && all[3 * size - 2] == (size - 1) * (size - 1));
    MPI_Type_free(&ends);
    MPI_Type_free(&part);
    MPI_Type_free(&spaced);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    plain();
    uneven();
    types();
    MPI_Allgather(NULL, 0, MPI_INT, NULL, 0, MPI_INT, MPI_COMM_WORLD);
    return finish();
}
