/*
 * Subarrays in both storage orders; a matrix dealt out with darray, block and
 * cyclic, and collected again.
 *
 * run: -n 4
 */
#include "check.h"

enum { ROWS = 6, COLUMNS = 4, N = ROWS * COLUMNS };

static int matrix[N];

static void subarray(int order)
{
    int sizes[2] = {ROWS, COLUMNS}, part[2] = {2, 2}, start[2] = {rank, 1}, got[4 * 8];
    MPI_Datatype type;

    MPI_Type_create_subarray(2, sizes, part, start, order, MPI_INT, &type);
    MPI_Type_commit(&type);
    for (int i = 0; i < N; i++)
        matrix[i] = 100 * rank + i;
    MPI_Gather(matrix, 1, type, got, 4, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0)
        say_ints(order == MPI_ORDER_C ? "parts, C" : "parts, Fortran", got, 4 * size);

    /* The corner of rank 3 lands in everybody's own window. */
    for (int i = 0; i < 4; i++)
        got[i] = 7 * i;
    if (rank == 3)
        MPI_Bcast(got, 4, MPI_INT, 3, MPI_COMM_WORLD);
    else
        MPI_Bcast(matrix, 1, type, 3, MPI_COMM_WORLD);
    say_ints("window", matrix, N);
    MPI_Type_free(&type);
}

static void darray(const char *what, const int *distribution, const int *arguments)
{
    int sizes[2] = {ROWS, COLUMNS}, grid[2] = {2, 2}, mine, mine_ints, part[N];
    MPI_Datatype type;
    MPI_Request request;

    /* Everybody receives its part, contiguous; rank 0 has the types of all. */
    MPI_Type_create_darray(size, rank, 2, sizes, distribution, arguments, grid, MPI_ORDER_C,
                           MPI_INT, &type);
    MPI_Type_size(type, &mine);
    MPI_Type_free(&type);
    mine_ints = mine / (int)sizeof(int);
    MPI_Irecv(part, mine_ints, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
    for (int i = 0; i < N; i++)
        matrix[i] = i;
    for (int r = 0; r < size && rank == 0; r++) {
        MPI_Type_create_darray(size, r, 2, sizes, distribution, arguments, grid, MPI_ORDER_C,
                               MPI_INT, &type);
        MPI_Type_commit(&type);
        MPI_Send(matrix, 1, type, r, 1, MPI_COMM_WORLD);
        MPI_Type_free(&type);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say_ints(what, part, mine_ints);
}

int main(int argc, char **argv)
{
    int block[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_BLOCK};
    int cyclic[2] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_CYCLIC};
    int mixed[2] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK};
    int standard[2] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG};
    int chunks[2] = {2, 3};

    begin(&argc, &argv);
    subarray(MPI_ORDER_C);
    subarray(MPI_ORDER_FORTRAN);
    darray("block", block, standard);
    darray("cyclic", cyclic, standard);
    darray("cyclic rows of 2, columns in blocks of 3", mixed, chunks);
    return finish();
}
