/*
 * Two ranks add complex numbers of one type at places that are half an element apart (MPI-4.0, 12.7.1: overlapping
 * types of different target displacements).
 *
 * check: -n 3: rma-race error FIRST
 * race: -n 3: FIRST FIRST
 */
#include <mpi.h>

static double window[4];

int main(int argc, char **argv)
{
    int rank;
    double _Complex number = 1;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(window, sizeof window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank < 2)
        MPI_Accumulate(&number, 1, MPI_C_DOUBLE_COMPLEX, 2, rank, 1, MPI_C_DOUBLE_COMPLEX, MPI_SUM, win); /* FIRST */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
