/*
 * Types of the buffer and of the call that differ in name and fit all the same: signs, typedefs, enumerations,
 * complex numbers by their parts, characters and bytes, unions, pairs, padding, truth values, pointers.
 *
 * check: -n 2: none
 * runs: -n 2: 1, merged 1
 */
#include <complex.h>
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>

typedef int32_t number;
enum colour { RED, GREEN };
struct pair {
    double value;
    int index;
};
struct mixed {
    char tag;
    short small;
    int bits : 5, more : 7;
    union {
        double d;
        long l;
        int i[2];
    } any;
    double x[2];
    void *next;
};

static int rank;
static double complex waves[4];
static number numbers[8];
static char bytes[64];

static void pass(void *buf, int count, MPI_Datatype type)
{
    if (rank == 0)
        MPI_Send(buf, count, type, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(buf, count, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    unsigned int positive[4] = {0};
    enum colour colours[3] = {0};
    struct pair best = {0}, list[2];
    struct mixed mixed[2];
    bool flags[4] = {0};
    wchar_t wide[4] = {0};
    size_t sizes[2] = {0};
    long long large[2] = {0};
    MPI_Aint addresses[2] = {0};
    unsigned char raw[16] = {0};
    void *pointers[2] = {0};
    long double extended[2] = {0};
    float f[4] = {0};
    struct {
        int index;
        int rank;
    } where = {0}, found;
    MPI_Datatype type;

    memset(mixed, 0, sizeof mixed);
    memset(list, 0, sizeof list);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pass(positive, 4, MPI_INT);
    pass(positive, 16, MPI_CHAR);
    pass(positive, 16, MPI_UINT8_T);
    pass(colours, 3, MPI_INT);
    pass(colours, 3, MPI_UNSIGNED);
    pass(numbers, 8, MPI_INT);
    pass(numbers, 8, MPI_UINT32_T);
    pass(numbers, 8, MPI_INTEGER);
    pass(waves, 8, MPI_DOUBLE);
    pass(waves, 4, MPI_C_DOUBLE_COMPLEX);
    pass(waves, 4, MPI_DOUBLE_COMPLEX);
    pass(bytes, 8, MPI_DOUBLE);
    pass(raw, 4, MPI_INT);
    pass(flags, 4, MPI_C_BOOL);
    pass(flags, 1, MPI_INT);
    pass(wide, 4, MPI_WCHAR);
    pass(wide, 4, MPI_INT);
    pass(sizes, 2, MPI_UNSIGNED_LONG);
    pass(sizes, 2, MPI_COUNT);
    pass(large, 2, MPI_INT64_T);
    pass(addresses, 2, MPI_AINT);
    pass(addresses, 2, MPI_LONG);
    pass(pointers, 2, MPI_AINT);
    pass(pointers, 2, MPI_DOUBLE);
    pass(extended, 2, MPI_LONG_DOUBLE);
    pass(f, 4, MPI_REAL);
    pass(f, 2, MPI_C_FLOAT_COMPLEX);
    pass(&best, 1, MPI_DOUBLE_INT);
    pass(list, 2, MPI_DOUBLE_INT);
    pass(mixed, sizeof mixed, MPI_BYTE);
    pass(mixed[1].any.i, 2, MPI_INT);
    pass(&mixed[1].any, 1, MPI_DOUBLE);
    pass(mixed[0].x, 2, MPI_DOUBLE);
    pass(&mixed[0].small, 1, MPI_SHORT);
    MPI_Allreduce(&where, &found, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
    MPI_Type_contiguous(4, MPI_FLOAT, &type);
    MPI_Type_commit(&type);
    pass(f, 1, type);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
