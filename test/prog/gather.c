/*
 * Gather, Gatherv, Scatter, Scatterv: every root, in place, empty parts,
 * holes, derived types.
 *
 * run: -n 4
 */
#include "check.h"

enum { MAX = 8 };

static void gather(int root)
{
    int mine[2] = {10 * rank, 10 * rank + 1}, all[2 * MAX];

    memset(all, -1, sizeof all);
    if (rank == root) {
        memcpy(&all[2 * root], mine, sizeof mine);
        MPI_Gather(root % 2 ? MPI_IN_PLACE : mine, 2, MPI_INT, all, 2, MPI_INT, root,
                   MPI_COMM_WORLD);
        say_ints("gather", all, 2 * size);
        for (int i = 0; i < 2 * size; i++)
            CHECK(all[i] == 10 * (i / 2) + i % 2);
    } else {
        MPI_Gather(mine, 2, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, root, MPI_COMM_WORLD);
    }
}

static void scatter(int root)
{
    int all[2 * MAX], mine[2] = {-1, -1};

    for (int i = 0; i < 2 * size; i++)
        all[i] = 100 * root + i;
    if (rank == root && root % 2) {
        MPI_Scatter(all, 2, MPI_INT, MPI_IN_PLACE, 0, MPI_INT, root, MPI_COMM_WORLD);
        memcpy(mine, &all[2 * root], sizeof mine);
    } else if (rank == root) {
        MPI_Scatter(all, 2, MPI_INT, mine, 2, MPI_INT, root, MPI_COMM_WORLD);
    } else {
        MPI_Scatter(NULL, 0, MPI_DATATYPE_NULL, mine, 2, MPI_INT, root, MPI_COMM_WORLD);
    }
    say_ints("scatter", mine, 2);
    CHECK(mine[1] == 100 * root + 2 * rank + 1);
}

/* Rank r has r elements; they land in reverse order with a hole between. */
static void gatherv_scatterv(int root)
{
    int counts[MAX], places[MAX], mine[MAX], back[MAX], all[40];

    for (int r = 0; r < size; r++) {
        counts[r] = r;
        places[r] = 5 * (size - 1 - r);
    }
    for (int i = 0; i < rank; i++)
        mine[i] = 7 * rank + i;
    memset(all, -1, sizeof all);
    memset(back, -1, sizeof back);
    MPI_Gatherv(mine, rank, MPI_INT, all, counts, places, MPI_INT, root, MPI_COMM_WORLD);
    if (rank == root) {
        say_ints("gatherv", all, 5 * size);
        for (int i = 0; i < 5 * size; i++)
            if (all[i] >= 0)
                all[i] += 1000;
    }
    MPI_Scatterv(all, counts, places, MPI_INT, back, rank, MPI_INT, root, MPI_COMM_WORLD);
    say_ints("scatterv", back, rank + 1);
    CHECK(back[rank] == -1 && (rank == 0 || back[0] == 1000 + 7 * rank));
}

/* Rows are gathered as the columns of a matrix. */
static void columns(void)
{
    int row[3] = {rank, rank + 10, rank + 20}, matrix[3 * MAX] = {0}, first[3] = {0};
    MPI_Datatype column, narrow;

    MPI_Type_vector(3, 1, size, MPI_INT, &column);
    MPI_Type_create_resized(column, 0, sizeof(int), &narrow);
    MPI_Type_commit(&narrow);
    MPI_Gather(row, 3, MPI_INT, matrix, 1, narrow, 0, MPI_COMM_WORLD);
    if (rank == 0)
        say_ints("columns", matrix, 3 * size);
    MPI_Scatter(matrix, 1, narrow, first, 3, MPI_INT, 0, MPI_COMM_WORLD);
    say_ints("my column", first, 3);
    CHECK(first[2] == rank + 20);
    MPI_Type_free(&column);
    MPI_Type_free(&narrow);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (int root = 0; root < size; root++) {
        gather(root);
        scatter(root);
    }
    gatherv_scatterv(1);
    gatherv_scatterv(size - 1);
    columns();
    MPI_Gather(NULL, 0, MPI_INT, NULL, 0, MPI_INT, 0, MPI_COMM_WORLD);
    return finish();
}
