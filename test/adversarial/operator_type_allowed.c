/*
 * Every pair of operator and type that the standard's table allows, in all reductions; and operators of the
 * program's own, which are for any type.
 *
 * check: -n 2: none
 * runs: -n 2: 1, merged 1
 */
#include <mpi.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static char in[64], out[64];

static void all(const MPI_Op *op, int ops, const MPI_Datatype *type, int types)
{
    for (int i = 0; i < ops; i++)
        for (int k = 0; k < types; k++)
            MPI_Allreduce(in, out, 1, type[k], op[i], MPI_COMM_WORLD);
}

static void nothing(void *a, void *b, int *n, MPI_Datatype *type)
{
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Op order[] = {MPI_MAX, MPI_MIN}, number[] = {MPI_SUM, MPI_PROD}, truth[] = {MPI_LAND, MPI_LOR, MPI_LXOR},
           bit[] = {MPI_BAND, MPI_BOR, MPI_BXOR}, where[] = {MPI_MAXLOC, MPI_MINLOC}, own[1];
    MPI_Datatype c_integer[] = {MPI_INT, MPI_LONG, MPI_SHORT, MPI_UNSIGNED_SHORT, MPI_UNSIGNED, MPI_UNSIGNED_LONG,
                                MPI_LONG_LONG, MPI_UNSIGNED_LONG_LONG, MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR, MPI_INT8_T,
                                MPI_INT16_T, MPI_INT32_T, MPI_INT64_T, MPI_UINT8_T, MPI_UINT16_T, MPI_UINT32_T,
                                MPI_UINT64_T};
    MPI_Datatype other_integer[] = {MPI_INTEGER, MPI_INTEGER4, MPI_INTEGER8, MPI_AINT, MPI_OFFSET, MPI_COUNT};
    MPI_Datatype floating[] = {MPI_FLOAT, MPI_DOUBLE, MPI_LONG_DOUBLE, MPI_REAL, MPI_DOUBLE_PRECISION, MPI_REAL8};
    MPI_Datatype complex[] = {MPI_C_COMPLEX, MPI_C_DOUBLE_COMPLEX, MPI_COMPLEX, MPI_DOUBLE_COMPLEX, MPI_COMPLEX8};
    MPI_Datatype pair[] = {MPI_FLOAT_INT, MPI_DOUBLE_INT, MPI_LONG_INT, MPI_2INT, MPI_SHORT_INT, MPI_LONG_DOUBLE_INT,
                           MPI_2REAL, MPI_2DOUBLE_PRECISION, MPI_2INTEGER};
    MPI_Datatype logical[] = {MPI_LOGICAL, MPI_C_BOOL}, byte[] = {MPI_BYTE}, own_type[3];

    all(order, 2, c_integer, COUNT(c_integer));
    all(order, 2, other_integer, COUNT(other_integer));
    all(order, 2, floating, COUNT(floating));
    all(number, 2, c_integer, COUNT(c_integer));
    all(number, 2, other_integer, COUNT(other_integer));
    all(number, 2, floating, COUNT(floating));
    all(number, 2, complex, COUNT(complex));
    all(truth, 3, c_integer, COUNT(c_integer));
    all(truth, 3, logical, COUNT(logical));
    all(bit, 3, c_integer, COUNT(c_integer));
    all(bit, 3, other_integer, COUNT(other_integer));
    all(bit, 3, byte, COUNT(byte));
    all(where, 2, pair, COUNT(pair));

    MPI_Op_create(nothing, 1, own);
    MPI_Type_contiguous(2, MPI_CHAR, &own_type[0]);
    MPI_Type_commit(&own_type[0]);
    own_type[1] = MPI_CHAR;
    own_type[2] = MPI_WCHAR;
    all(own, 1, own_type, 3);
    MPI_Type_free(&own_type[0]);
    MPI_Op_free(own);

    MPI_Reduce(in, out, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Scan(in, out, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    MPI_Exscan(in, out, 1, MPI_UNSIGNED_CHAR, MPI_LXOR, MPI_COMM_WORLD);
    MPI_Reduce_scatter_block(in, out, 1, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
