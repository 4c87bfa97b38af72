/*
 * Accumulate with every predefined operator, in every type that it is defined for: each rank but the first
 * accumulates to rank 0, all at once.
 * Open MPI 4.1 takes logical operators for bitwise ones unless it is told to use shared memory in another way.
 *
 * run: -n 3
 * env: OMPI_MCA_btl_vader_single_copy_mechanism=none
 * check: -n 3: none
 */
#include <stdint.h>

#include <mpi.h>

#include "check_value.h"

enum { BYTES = 64 };

static char *window;
static MPI_Win win;

/* What is there at first, what ranks 1 and 2 bring, and what there must be. */
#define TRY(type, mpi_type, op, at_first, of_1, of_2, at_last)                                  \
    do {                                                                                        \
        type *place = (type *)window, operand = (type)(rank == 1 ? (of_1) : (of_2));      \
        *place = (type)(at_first);                                                              \
        MPI_Win_fence(0, win);                                                                  \
        if (rank > 0)                                                                           \
            MPI_Accumulate(&operand, 1, mpi_type, 0, 0, 1, mpi_type, op, win);                  \
        MPI_Win_fence(0, win);                                                                  \
        if (rank == 0 && !(*place == (type)(at_last))) {                                        \
            printf("%s of %s, line %d\n", #op, #mpi_type, __LINE__);                            \
            bad = 1;                                                                            \
        }                                                                                       \
    } while (0)

#define NUMBERS(type, mpi_type)                                \
    do {                                                       \
        TRY(type, mpi_type, MPI_SUM, 3, 4, 5, 12);             \
        TRY(type, mpi_type, MPI_PROD, 2, 3, 4, 24);            \
        TRY(type, mpi_type, MPI_MIN, 7, 5, 6, 5);              \
        TRY(type, mpi_type, MPI_MAX, 7, 9, 8, 9);              \
        TRY(type, mpi_type, MPI_REPLACE, 1, 9, 9, 9);          \
    } while (0)

#define INTEGERS(type, mpi_type)                               \
    do {                                                       \
        NUMBERS(type, mpi_type);                               \
        TRY(type, mpi_type, MPI_LAND, 3, 4, 5, 1);             \
        TRY(type, mpi_type, MPI_LAND, 3, 0, 5, 0);             \
        TRY(type, mpi_type, MPI_LOR, 0, 0, 5, 1);              \
        TRY(type, mpi_type, MPI_LOR, 0, 0, 0, 0);              \
        TRY(type, mpi_type, MPI_LXOR, 3, 4, 5, 1);             \
        TRY(type, mpi_type, MPI_LXOR, 3, 4, 0, 0);             \
        BITS(type, mpi_type);                                  \
    } while (0)

#define BITS(type, mpi_type)                                   \
    do {                                                       \
        TRY(type, mpi_type, MPI_BAND, 0x7f, 0x3e, 0x5b, 0x1a); \
        TRY(type, mpi_type, MPI_BOR, 0x41, 0x12, 0x24, 0x77);  \
        TRY(type, mpi_type, MPI_BXOR, 0x0f, 0x3c, 0x55, 0x66); \
    } while (0)

struct int_int {
    int value, index;
};

struct double_int {
    double value;
    int index;
};

#define LOCATIONS(record, mpi_type)                                                             \
    do {                                                                                        \
        struct record *place = (struct record *)window;                                   \
        for (int i = 0; i < 2; i++) {                                                           \
            struct record operand = {rank == 1 ? 9 : i == 0 ? 9 : 2, rank};                     \
            *place = (struct record){5, 0};                                                     \
            MPI_Win_fence(0, win);                                                              \
            if (rank > 0)                                                                       \
                MPI_Accumulate(&operand, 1, mpi_type, 0, 0, 1, mpi_type,                        \
                               i == 0 ? MPI_MAXLOC : MPI_MINLOC, win);                          \
            MPI_Win_fence(0, win);                                                              \
            if (rank == 0) {                                                                    \
                CHECK(place->value == (i == 0 ? 9 : 2));                                        \
                CHECK(place->index == (i == 0 ? 1 : 2));                                        \
            }                                                                                   \
        }                                                                                       \
    } while (0)

static void complex_numbers(void)
{
    double *place = (double *)window, operand[2] = {rank, 1};

    place[0] = place[1] = 1;
    MPI_Win_fence(0, win);
    if (rank > 0)
        MPI_Accumulate(operand, 1, MPI_C_DOUBLE_COMPLEX, 0, 0, 1, MPI_C_DOUBLE_COMPLEX, MPI_SUM, win);
    MPI_Win_fence(0, win);
    CHECK(rank != 0 || (place[0] == 4 && place[1] == 3));
}

static void several_elements(void)
{
    int *place = (int *)window, operand[8];

    for (int i = 0; i < 8; i++) {
        place[i] = i;
        operand[i] = 10 * rank + i;
    }
    MPI_Win_fence(0, win);
    MPI_Accumulate(operand, 8, MPI_INT, 0, 0, 8, MPI_INT, MPI_SUM, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < 8; i++)
        CHECK(place[i] == (rank == 0 ? 30 + 4 * i : i));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    MPI_Win_allocate(BYTES, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    INTEGERS(signed char, MPI_SIGNED_CHAR);
    INTEGERS(unsigned char, MPI_UNSIGNED_CHAR);
    INTEGERS(short, MPI_SHORT);
    INTEGERS(unsigned short, MPI_UNSIGNED_SHORT);
    INTEGERS(int, MPI_INT);
    INTEGERS(unsigned, MPI_UNSIGNED);
    INTEGERS(long, MPI_LONG);
    INTEGERS(unsigned long, MPI_UNSIGNED_LONG);
    INTEGERS(long long, MPI_LONG_LONG);
    INTEGERS(unsigned long long, MPI_UNSIGNED_LONG_LONG);
    INTEGERS(int8_t, MPI_INT8_T);
    INTEGERS(int16_t, MPI_INT16_T);
    INTEGERS(int32_t, MPI_INT32_T);
    INTEGERS(int64_t, MPI_INT64_T);
    INTEGERS(uint8_t, MPI_UINT8_T);
    INTEGERS(uint16_t, MPI_UINT16_T);
    INTEGERS(uint32_t, MPI_UINT32_T);
    INTEGERS(uint64_t, MPI_UINT64_T);
    NUMBERS(float, MPI_FLOAT);
    NUMBERS(double, MPI_DOUBLE);
    NUMBERS(long double, MPI_LONG_DOUBLE);
    NUMBERS(MPI_Aint, MPI_AINT);
    NUMBERS(MPI_Offset, MPI_OFFSET);
    BITS(unsigned char, MPI_BYTE);
    LOCATIONS(int_int, MPI_2INT);
    LOCATIONS(double_int, MPI_DOUBLE_INT);
    complex_numbers();
    several_elements();
    MPI_Win_free(&win);
    return end();
}
