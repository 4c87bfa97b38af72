/*
 * Reduce and Allreduce: builtin operators and types, every root, in place.
 *
 * Floating point values are small integers and halves: every order of
 * additions gives the same sum.
 *
 * run: -n 4
 */
#include "check.h"

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

static void every_root(void)
{
    for (int root = 0; root < size; root++) {
        int v[2] = {rank + 1, root}, sum[2] = {-1, -1};
        MPI_Reduce(v, sum, 2, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
        CHECK(sum[0] == (rank == root ? size * (size + 1) / 2 : -1));
        if (rank == root) {
            say_ints("sum", sum, 2);
            MPI_Reduce(MPI_IN_PLACE, v, 2, MPI_INT, MPI_PROD, root, MPI_COMM_WORLD);
            say_ints("product in place", v, 2);
        } else {
            MPI_Reduce(v, NULL, 2, MPI_INT, MPI_PROD, root, MPI_COMM_WORLD);
        }
    }
}

#define ALL(type, mpi_type, op, value)                                           \
    do {                                                                         \
        type in_ = (value), out_ = 0;                                            \
        MPI_Allreduce(&in_, &out_, 1, mpi_type, op, MPI_COMM_WORLD);             \
        say(#mpi_type " " #op " %.20Lg", (long double)out_);                     \
    } while (0)

static void types(void)
{
    ALL(signed char, MPI_SIGNED_CHAR, MPI_SUM, rank - 2);
    ALL(short, MPI_SHORT, MPI_MIN, 5 - rank);
    ALL(unsigned short, MPI_UNSIGNED_SHORT, MPI_MAX, 5 + rank);
    ALL(unsigned, MPI_UNSIGNED, MPI_MAX, 4000000000u + rank);
    ALL(long, MPI_LONG, MPI_SUM, (1l << 40) + rank);
    ALL(unsigned long, MPI_UNSIGNED_LONG, MPI_PROD, rank + 2ul);
    ALL(long long, MPI_LONG_LONG, MPI_MIN, -(1ll << 50) * rank);
    ALL(uint8_t, MPI_UINT8_T, MPI_BOR, 1 << rank);
    ALL(int64_t, MPI_INT64_T, MPI_SUM, rank);
    ALL(float, MPI_FLOAT, MPI_SUM, rank + 0.5f);
    ALL(double, MPI_DOUBLE, MPI_PROD, rank + 1.0);
    ALL(long double, MPI_LONG_DOUBLE, MPI_MAX, rank + 0.25L);
    ALL(MPI_Aint, MPI_AINT, MPI_SUM, rank);
    ALL(MPI_Offset, MPI_OFFSET, MPI_MAX, rank);
    ALL(MPI_Count, MPI_COUNT, MPI_MIN, rank + 3);
}

static void complex_and_bool(void)
{
    double complex z = rank + I, sum, product;
    bool mine = rank == 1, any = false, all = true;

    MPI_Allreduce(&z, &sum, 1, MPI_C_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&z, &product, 1, MPI_C_DOUBLE_COMPLEX, MPI_PROD, MPI_COMM_WORLD);
    say("complex %g+%gi %g+%gi", creal(sum), cimag(sum), creal(product), cimag(product));
    MPI_Allreduce(&mine, &any, 1, MPI_C_BOOL, MPI_LOR, MPI_COMM_WORLD);
    MPI_Allreduce(&mine, &all, 1, MPI_C_BOOL, MPI_LAND, MPI_COMM_WORLD);
    say("bool any %d all %d", any, all);
    CHECK(any && !all);
}

static void long_vector(void)
{
    static int v[20000];
    long sum = 0;

    for (int i = 0; i < LENGTH(v); i++)
        v[i] = rank * i;
    MPI_Allreduce(MPI_IN_PLACE, v, LENGTH(v), MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < LENGTH(v); i++)
        sum += v[i];
    say("long vector %ld", sum);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    every_root();
    types();
    complex_and_bool();
    long_vector();
    MPI_Allreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return finish();
}
