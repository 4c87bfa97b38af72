/*
 * A loop puts from one variable, which it changes for the next round, within one epoch (MPI-4.0, 12.3).
 *
 * check: -n 2: rma-race error FIRST
 * race: -n 2: FIRST SECOND
 */
#include <mpi.h>

static int window[4];

int main(int argc, char **argv)
{
    int rank, values[2] = {0, 0};
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(window, sizeof window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    for (int i = 0; rank == 0 && i < 2; i++) {
        values[0] = i + 1; /* SECOND */
        MPI_Put(values, 1, MPI_INT, 1, i, 1, MPI_INT, win); /* FIRST */
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
