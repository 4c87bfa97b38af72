/*
 * Two ranks go through a shared window, which is one piece, and one of them goes one number too far (MPI-4.0, 12.2.3
 * and 12.7).
 *
 * check: -n 2: rma-race error FIRST
 * race: -n 2: FIRST FIRST
 */
#include <mpi.h>

static volatile int seen;

int main(int argc, char **argv)
{
    int rank, *mine;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate_shared(2 * sizeof *mine, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < 3 - rank; i++)
        mine[i] = rank; /* FIRST */
    MPI_Win_fence(0, win);
    seen = mine[0];
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
