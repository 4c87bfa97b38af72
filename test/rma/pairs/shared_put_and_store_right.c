/*
 * One rank puts to a shared window after its owner has stored, with a fence between (MPI-4.0, 12.7).
 *
 * check: -n 2: none
 */
#include <mpi.h>

static volatile int seen;

int main(int argc, char **argv)
{
    int rank, value = 7, *mine;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate_shared(sizeof *mine, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        *mine = 5;
    MPI_Win_fence(0, win);
    if (rank == 1)
        MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    seen = *mine;
    MPI_Win_free(&win);
    MPI_Finalize();
    return rank == 0 && seen != 7;
}
