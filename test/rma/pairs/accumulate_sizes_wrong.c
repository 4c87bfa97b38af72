/*
 * One rank adds to a 64-bit number, another to its upper 32 bits: types of different sizes that overlap (MPI-4.0,
 * 12.7.1).
 *
 * check: -n 3: rma-race error FIRST
 * race: -n 3: FIRST SECOND
 */
#include <stdint.h>

#include <mpi.h>

static int64_t window[2];

int main(int argc, char **argv)
{
    int rank;
    int64_t wide = 1;
    int32_t narrow = 1;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(window, sizeof window, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Accumulate(&wide, 1, MPI_INT64_T, 2, 0, 1, MPI_INT64_T, MPI_SUM, win); /* FIRST */
    if (rank == 1)
        MPI_Accumulate(&narrow, 1, MPI_INT32_T, 2, 1, 1, MPI_INT32_T, MPI_SUM, win); /* SECOND */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
