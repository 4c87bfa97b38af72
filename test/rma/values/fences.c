/*
 * Fences with all their assertions, each of them true.
 *
 * run: -n 2
 * check: -n 2: none
 */
#include <mpi.h>

#include "check_value.h"

static int window[4];

int main(int argc, char **argv)
{
    int other, value, got = -1;
    MPI_Win win;

    begin(&argc, &argv);
    other = 1 - rank;
    MPI_Win_create(window, sizeof window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    value = 5 + rank;
    MPI_Win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOSTORE, win);
    MPI_Put(&value, 1, MPI_INT, other, 0, 1, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOSTORE, win);
    CHECK(window[0] == 5 + other);
    MPI_Accumulate(&value, 1, MPI_INT, other, 2, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOSUCCEED, win);
    CHECK(window[2] == 5 + other);
    window[1] = 70 + rank;
    MPI_Win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOPUT, win);
    MPI_Get(&got, 1, MPI_INT, other, 1, 1, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOPUT, win);
    CHECK(got == 70 + other);
    MPI_Get(&got, 1, MPI_INT, other, 0, 1, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOSUCCEED, win);
    CHECK(got == 5 + rank);
    MPI_Win_free(&win);
    return end();
}
