/*
 * Two ranks put to one place, one of them all it has, which is nothing: a put of no elements touches nothing (MPI-4.0,
 * 12.3.1).
 *
 * check: -n 3: none
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
    some = rank == 0;
    MPI_Win_fence(0, win);
    if (rank < 2)
        MPI_Put(&value, some, MPI_INT, 2, 0, some, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return rank == 2 && window[0] != 7;
}
