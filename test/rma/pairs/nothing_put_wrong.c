/*
 * Two ranks put to one place, one of them all it has, which is one number (MPI-4.0, 12.7).
 *
 * check: -n 3: rma-race error FIRST
 * race: -n 3: FIRST FIRST
 */
#include <mpi.h>

static int window[4];

int main(int argc, char **argv)
{
    int rank, value = 7, some;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(window, sizeof window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    some = 1;
    MPI_Win_fence(0, win);
    if (rank < 2)
        MPI_Put(&value, some, MPI_INT, 2, 0, some, MPI_INT, win); /* FIRST */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
