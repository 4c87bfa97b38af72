/*
 * A message is received into the part of a window where the other rank puts: a receive is a local store (MPI-4.0, 12.4
 * and 12.7).
 *
 * check: -n 2: rma-race error FIRST
 * race: -n 2: FIRST SECOND
 */
#include <mpi.h>

static int window[4];

int main(int argc, char **argv)
{
    int rank, value = 7, five = 5;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(window, sizeof window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Send(&five, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* FIRST */
    } else {
        MPI_Recv(window, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* SECOND */
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
