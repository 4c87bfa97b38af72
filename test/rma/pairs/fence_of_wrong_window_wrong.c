/*
 * The put is on one window; the fence that is meant to complete it is on another (MPI-4.0, 12.5.1).
 *
 * check: -n 2: rma-race error FIRST
 * race: -n 2: FIRST SECOND
 */
#include <mpi.h>

static int window[4];
static char spare[16];
static volatile int seen;

int main(int argc, char **argv)
{
    int rank, value = 7;
    MPI_Win win, second;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(window, sizeof window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create(spare, sizeof spare, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &second);
    MPI_Win_fence(0, win);
    MPI_Win_fence(0, second);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* FIRST */
    MPI_Win_fence(0, second);
    if (rank == 1)
        seen = window[0]; /* SECOND */
    MPI_Win_fence(0, win);
    MPI_Win_free(&second);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
