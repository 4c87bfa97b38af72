/*
 * Two values of every basic C type through a message and back, swapped.
 *
 * run: -n 2
 */
#include "check.h"

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>
#include <wchar.h>

/* Rank 0 sends two values, rank 1 sends them back in swapped order. */
#define EXCHANGE(type, mpi_type, a, b)                                                     \
    do {                                                                                   \
        type v_[2] = {a, b}, w_[2];                                                        \
        memset(w_, 0, sizeof w_);                                                          \
        if (rank == 0) {                                                                   \
            MPI_Send(v_, 2, mpi_type, 1, 0, MPI_COMM_WORLD);                               \
            MPI_Recv(w_, 2, mpi_type, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);            \
            CHECK(w_[0] == v_[1] && w_[1] == v_[0]);                                       \
            say(#mpi_type " %.20Lg %.20Lg", (long double)w_[0], (long double)w_[1]);       \
        } else {                                                                           \
            MPI_Recv(w_, 2, mpi_type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);            \
            v_[0] = w_[1], v_[1] = w_[0];                                                  \
            MPI_Send(v_, 2, mpi_type, 0, 1, MPI_COMM_WORLD);                               \
        }                                                                                  \
    } while (0)

static void integers(void)
{
    EXCHANGE(char, MPI_CHAR, 'a', 'z');
    EXCHANGE(signed char, MPI_SIGNED_CHAR, -100, 100);
    EXCHANGE(unsigned char, MPI_UNSIGNED_CHAR, 0, 255);
    EXCHANGE(unsigned char, MPI_BYTE, 1, 254);
    EXCHANGE(wchar_t, MPI_WCHAR, L'x', 0x20ac);
    EXCHANGE(short, MPI_SHORT, -30000, 30000);
    EXCHANGE(unsigned short, MPI_UNSIGNED_SHORT, 1, 65535);
    EXCHANGE(int, MPI_INT, INT32_MIN, INT32_MAX);
    EXCHANGE(unsigned, MPI_UNSIGNED, 2, UINT32_MAX);
    EXCHANGE(long, MPI_LONG, INT64_MIN, INT64_MAX);
    EXCHANGE(unsigned long, MPI_UNSIGNED_LONG, 3, UINT64_MAX);
    EXCHANGE(long long, MPI_LONG_LONG_INT, -4, 4);
    EXCHANGE(unsigned long long, MPI_UNSIGNED_LONG_LONG, 5, 6);
    EXCHANGE(int8_t, MPI_INT8_T, -8, 8);
    EXCHANGE(int16_t, MPI_INT16_T, -16, 16);
    EXCHANGE(int32_t, MPI_INT32_T, -32, 32);
    EXCHANGE(int64_t, MPI_INT64_T, -64, 64);
    EXCHANGE(uint8_t, MPI_UINT8_T, 7, 8);
    EXCHANGE(uint16_t, MPI_UINT16_T, 15, 16);
    EXCHANGE(uint32_t, MPI_UINT32_T, 31, 32);
    EXCHANGE(uint64_t, MPI_UINT64_T, 63, 64);
    EXCHANGE(MPI_Aint, MPI_AINT, -1, 1);
    EXCHANGE(MPI_Offset, MPI_OFFSET, -2, 2);
    EXCHANGE(MPI_Count, MPI_COUNT, -3, 3);
    EXCHANGE(bool, MPI_C_BOOL, true, false);
}

static void floating(void)
{
    EXCHANGE(float, MPI_FLOAT, 0.5f, -1e30f);
    EXCHANGE(double, MPI_DOUBLE, 0.1, -1e300);
    EXCHANGE(long double, MPI_LONG_DOUBLE, 0.25L, -1e4000L);
}

static void complex_numbers(void)
{
    float complex f = rank ? 0 : 1 + 2 * I;
    double complex d = rank ? 0 : 3 + 4 * I;
    long double complex l = rank ? 0 : 5 + 6 * I;

    MPI_Bcast(&f, 1, MPI_C_FLOAT_COMPLEX, 0, MPI_COMM_WORLD);
    MPI_Bcast(&d, 1, MPI_C_DOUBLE_COMPLEX, 0, MPI_COMM_WORLD);
    MPI_Bcast(&l, 1, MPI_C_LONG_DOUBLE_COMPLEX, 0, MPI_COMM_WORLD);
    say("complex %g %g %g %g %Lg %Lg", crealf(f), cimagf(f), creal(d), cimag(d), creall(l),
        cimagl(l));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    integers();
    floating();
    complex_numbers();
    return finish();
}
