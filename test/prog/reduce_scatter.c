/*
 * Reduce_scatter and Reduce_scatter_block, uneven, empty and in place; Scan
 * and Exscan.
 *
 * run: -n 3
 */
#include "check.h"

enum { MAX = 8 };

static void reduce_scatter(void)
{
    int counts[MAX], v[MAX * MAX], mine[MAX], total = 0;

    for (int r = 0; r < size; r++)
        total += counts[r] = r; /* none for rank 0 */
    for (int i = 0; i < total; i++)
        v[i] = (rank + 1) * (i + 1);
    memset(mine, -1, sizeof mine);
    MPI_Reduce_scatter(v, mine, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    say_ints("reduce_scatter", mine, rank + 1);
    CHECK(mine[rank] == -1);
    MPI_Reduce_scatter(MPI_IN_PLACE, v, counts, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    say_ints("in place", v, rank);
}

static void block(void)
{
    int v[2 * MAX], mine[2];

    for (int i = 0; i < 2 * size; i++)
        v[i] = 10 * rank + i;
    MPI_Reduce_scatter_block(v, mine, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    say_ints("block", mine, 2);
    CHECK(mine[0] == 10 * (size * (size - 1) / 2) + size * 2 * rank);
    MPI_Reduce_scatter_block(MPI_IN_PLACE, v, 2, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    say_ints("block in place", v, 2);
    CHECK(v[0] == 2 * rank);
}

static void scan(void)
{
    int v[2] = {rank + 1, 1}, upto[2], before[2] = {-1, -1}, both[2] = {rank + 1, 2};

    MPI_Scan(v, upto, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Exscan(v, before, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    say_ints("scan", upto, 2);
    /* On rank 0 the result of an exclusive scan is undefined. */
    if (rank) {
        say_ints("exscan", before, 2);
        CHECK(before[0] + v[0] == upto[0]);
    }
    MPI_Scan(MPI_IN_PLACE, both, 2, MPI_INT, MPI_PROD, MPI_COMM_WORLD);
    say_ints("scan in place", both, 2);
    CHECK(both[1] == 2 << rank);
    both[0] = rank + 3;
    MPI_Exscan(MPI_IN_PLACE, both, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (rank)
        say_ints("exscan in place", both, 1);
    CHECK(rank == 0 || both[0] == rank + 2);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    reduce_scatter();
    block();
    scan();
    return finish();
}
