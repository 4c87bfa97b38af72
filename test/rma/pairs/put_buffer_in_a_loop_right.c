/*
 * A loop puts from one element of an array after the other, within one epoch (MPI-4.0, 12.3).
 *
 * check: -n 2: none
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
        values[i] = i + 1;
        MPI_Put(values + i, 1, MPI_INT, 1, i, 1, MPI_INT, win);
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return rank == 1 && (window[0] != 1 || window[1] != 2);
}
