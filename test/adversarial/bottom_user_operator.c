/*
 * Reductions of MPI_BOTTOM with an operator of the program, which works on a struct of absolute addresses: its operands
 * are where the library says plus what the datatype says.
 *
 * check: -n 3: none
 * runs: -n 3: 1, merged 1
 */
#include <mpi.h>
#include <stdlib.h>

static int value[4], result[4], rank, size;
static MPI_Aint value_at, result_at;

/* Two ints with one between them: of one array for what is sent, of another for what is received. */
static MPI_Datatype absolute(MPI_Aint at)
{
    MPI_Datatype type;
    MPI_Type_create_hindexed(2, (int[]){1, 1}, (MPI_Aint[]){at, at + 2 * (MPI_Aint)sizeof(int)}, MPI_INT, &type);
    MPI_Type_commit(&type);
    return type;
}

/* (a, b) stands for x -> a * x + b; first the left one, then the right one: associative, but does not commute. */
static void compose(void *in, void *inout, int *n, MPI_Datatype *type)
{
    int ints, addresses, types, combiner, integer[3];
    MPI_Aint at[2];
    MPI_Datatype old;
    MPI_Type_get_envelope(*type, &ints, &addresses, &types, &combiner);
    MPI_Type_get_contents(*type, ints, addresses, types, integer, at, &old);
    int *left[2], *right[2];
    for (int i = 0; i < 2; i++) {
        left[i] = (int *)((char *)in + at[i]);
        right[i] = (int *)((char *)inout + at[i]);
    }
    *right[1] += *right[0] * *left[1];
    *right[0] *= *left[0];
}

static void fill(void)
{
    for (int i = 0; i < 4; i++)
        value[i] = result[i] = -7;
    value[0] = result[0] = rank + 1;
    value[2] = result[2] = rank + 2;
}

static void expect(const int *array, int first, int second)
{
    if (array[0] != first || array[2] != second || array[1] != -7)
        abort();
}

int main(int argc, char **argv)
{
    MPI_Op op;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Get_address(value, &value_at);
    MPI_Get_address(result, &result_at);
    MPI_Datatype out = absolute(value_at), in = absolute(result_at);
    MPI_Op_create(compose, 0, &op);

    fill();
    MPI_Allreduce(MPI_IN_PLACE, MPI_BOTTOM, 1, in, op, MPI_COMM_WORLD);
    expect(result, 6, 25);

    fill();
    if (rank == 1)
        MPI_Reduce(MPI_IN_PLACE, MPI_BOTTOM, 1, in, op, 1, MPI_COMM_WORLD);
    else
        MPI_Reduce(MPI_BOTTOM, MPI_BOTTOM, 1, out, op, 1, MPI_COMM_WORLD);
    if (rank == 1)
        expect(result, 6, 25);

    fill();
    MPI_Scan(MPI_IN_PLACE, MPI_BOTTOM, 1, in, op, MPI_COMM_WORLD);
    if (rank == 1)
        expect(result, 2, 7);

    fill();
    MPI_Exscan(MPI_IN_PLACE, MPI_BOTTOM, 1, in, op, MPI_COMM_WORLD);
    if (rank == 2)
        expect(result, 2, 7);

    MPI_Op_free(&op);
    MPI_Type_free(&in);
    MPI_Type_free(&out);
    MPI_Finalize();
    return 0;
}
