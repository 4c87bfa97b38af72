/*
 * A rank puts although it has neither locked the window nor called a fence or start (MPI-4.0, 12.5: only within an
 * access epoch).
 *
 * check: -n 2: rma-epoch error HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 7, *window;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* HERE */
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
