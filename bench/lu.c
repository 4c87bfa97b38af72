/*
 * A real library: a dense system of linear equations, by ScaLAPACK's LU.  Prints `solved SIZE SECONDS`, of the
 * solution alone.
 *
 * usage: lu SIZE
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLOCK = 32 };

void Cblacs_get(int context, int what, int *value);
void Cblacs_gridinit(int *context, const char *order, int rows, int columns);
void Cblacs_gridinfo(int context, int *rows, int *columns, int *row, int *column);
void Cblacs_gridexit(int context);
void Cblacs_exit(int go_on);
int numroc_(const int *n, const int *block, const int *at, const int *first, const int *count);
void descinit_(int *desc, const int *m, const int *n, const int *mb, const int *nb, const int *row, const int *column,
               const int *context, const int *lead, int *info);
void pdgesv_(const int *n, const int *sides, double *a, const int *ia, const int *ja, const int *desc_a, int *pivot,
             double *b, const int *ib, const int *jb, const int *desc_b, int *info);

/* The place in the whole of what lies at `local` here. */
static int whole(int local, int at, int count)
{
    return (local / BLOCK * count + at) * BLOCK + local % BLOCK;
}

/* Every rank knows every element; the solution is 1 everywhere. */
static double element(int i, int j, int size)
{
    return i == j ? size : 1.0 / (1 + abs(i - j) % 7);
}

static double row_sum(int i, int size)
{
    double sum = 0;
    for (int j = 0; j < size; j++)
        sum += element(i, j, size);
    return sum;
}

int main(int argc, char **argv)
{
    const int zero = 0, one = 1, block = BLOCK;
    int size = argc > 1 ? atoi(argv[1]) : 500, ranks, context, grid[2] = {0}, at[2], desc_a[9], desc_b[9], info, wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Dims_create(ranks, 2, grid);
    Cblacs_get(-1, 0, &context);
    Cblacs_gridinit(&context, "Row", grid[0], grid[1]);
    Cblacs_gridinfo(context, &grid[0], &grid[1], &at[0], &at[1]);
    int rows = numroc_(&size, &block, &at[0], &zero, &grid[0]), columns = numroc_(&size, &block, &at[1], &zero, &grid[1]);
    int lead = rows > 1 ? rows : 1;
    double *a = calloc((size_t)lead * (size_t)(columns + 1), sizeof *a), *b = calloc((size_t)lead, sizeof *b);
    int *pivot = calloc((size_t)(lead + BLOCK), sizeof *pivot);
    descinit_(desc_a, &size, &size, &block, &block, &zero, &zero, &context, &lead, &info);
    descinit_(desc_b, &size, &one, &block, &block, &zero, &zero, &context, &lead, &info);
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++)
            a[i + (size_t)j * (size_t)lead] = element(whole(i, at[0], grid[0]), whole(j, at[1], grid[1]), size);
        b[i] = row_sum(whole(i, at[0], grid[0]), size);
    }

    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    pdgesv_(&size, &one, a, &one, &one, desc_a, pivot, b, &one, &one, desc_b, &info);
    MPI_Barrier(MPI_COMM_WORLD);
    double seconds = MPI_Wtime() - begin;

    for (int i = 0; at[1] == 0 && i < rows; i++)
        wrong += fabs(b[i] - 1) > 1e-8;
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (at[0] == 0 && at[1] == 0)
        printf("solved %d %.6f\n", size, seconds);
    free(a);
    free(b);
    free(pivot);
    Cblacs_gridexit(context);
    Cblacs_exit(1);
    MPI_Finalize();
    return wrong || info ? 1 : 0;
}
