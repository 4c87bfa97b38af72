/*
 * Two ranks put two numbers each to places that are neighbours (MPI-4.0, 12.3.1).
 *
 * check: -n 3: none
 */
#include <mpi.h>

static int window[5];

int main(int argc, char **argv)
{
    int rank, values[3] = {7, 7, 7};
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(window, sizeof window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank < 2)
        MPI_Put(values, 2, MPI_INT, 2, 2 * rank, 2, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return rank == 2 && window[0] + window[1] + window[2] + window[3] != 28;
}
