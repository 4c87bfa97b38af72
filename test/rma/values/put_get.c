/*
 * Put and get between all ranks, with themselves, with MPI_PROC_NULL, and of nothing, in several types.
 *
 * run: -n 4
 * check: -n 4: none
 * unseen: -n 4: TOO_MUCH
 */
#include <mpi.h>

#include "check_value.h"

enum { MANY = 1 << 16 };

static long long window[16];
static double large[MANY], buffer[MANY];

static void everybody_puts(MPI_Win win)
{
    long long value = 100 * rank;

    MPI_Win_fence(0, win);
    for (int to = 0; to < size; to++)
        MPI_Put(&value, 1, MPI_LONG_LONG, to, rank, 1, MPI_LONG_LONG, win);
    MPI_Win_fence(0, win);
    for (int from = 0; from < size; from++)
        CHECK(window[from] == 100 * from);
}

static void everybody_gets(MPI_Win win)
{
    long long values[4] = {-1, -1, -1, -1};

    window[5] = 7 * rank;
    MPI_Win_fence(0, win);
    for (int from = 0; from < size; from++)
        MPI_Get(&values[from], 1, MPI_LONG_LONG, from, 5, 1, MPI_LONG_LONG, win);
    MPI_Win_fence(0, win);
    for (int from = 0; from < size; from++)
        CHECK(values[from] == 7 * from);
}

static void nothing_happens(MPI_Win win)
{
    long long value = -1, kept = window[0];

    MPI_Win_fence(0, win);
    MPI_Put(&value, 1, MPI_LONG_LONG, MPI_PROC_NULL, 0, 1, MPI_LONG_LONG, win);
    MPI_Get(&value, 1, MPI_LONG_LONG, MPI_PROC_NULL, 0, 1, MPI_LONG_LONG, win);
    MPI_Accumulate(&value, 1, MPI_LONG_LONG, MPI_PROC_NULL, 0, 1, MPI_LONG_LONG, MPI_SUM, win);
    MPI_Put(&value, 0, MPI_LONG_LONG, (rank + 1) % size, 0, 0, MPI_LONG_LONG, win);
    MPI_Get(&value, 0, MPI_LONG_LONG, (rank + 1) % size, 0, 0, MPI_LONG_LONG, win);
    MPI_Win_fence(0, win);
    CHECK(value == -1);
    CHECK(window[0] == kept);
}

static void bytes_and_shorts(MPI_Win win)
{
    short pair[2] = {(short)(rank + 1), (short)(rank + 2)};
    char letter = (char)('a' + rank);
    int left = (rank + size - 1) % size, right = (rank + 1) % size;

    MPI_Win_fence(0, win);
    MPI_Put(pair, 2, MPI_SHORT, right, 8, 2, MPI_SHORT, win);
    MPI_Put(&letter, 1, MPI_CHAR, right, 9, 1, MPI_CHAR, win);
    MPI_Win_fence(0, win);
    CHECK(((short *)&window[8])[0] == left + 1);
    CHECK(((short *)&window[8])[1] == left + 2);
    CHECK(*(char *)&window[9] == 'a' + left);
}

static void much(void)
{
    MPI_Win win;

    for (int i = 0; i < MANY; i++)
        buffer[i] = rank + 0.5 * i;
    MPI_Win_create(large, sizeof large, sizeof *large, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    MPI_Put(buffer, MANY, MPI_DOUBLE, (rank + 1) % size, 0, MANY, MPI_DOUBLE, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < MANY; i++)
        if (large[i] != (rank + size - 1) % size + 0.5 * i) /* TOO_MUCH */
            bad = 1;
    MPI_Get(buffer, MANY, MPI_DOUBLE, (rank + 2) % size, 0, MANY, MPI_DOUBLE, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    for (int i = 0; i < MANY; i++)
        if (buffer[i] != (rank + 1) % size + 0.5 * i)
            bad = 1;
    CHECK(!bad);
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    MPI_Win win;

    begin(&argc, &argv);
    MPI_Win_create(window, sizeof window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    everybody_puts(win);
    everybody_gets(win);
    nothing_happens(win);
    bytes_and_shorts(win);
    MPI_Win_free(&win);
    CHECK(win == MPI_WIN_NULL);
    much();
    return end();
}
