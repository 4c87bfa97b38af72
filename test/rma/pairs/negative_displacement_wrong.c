/*
 * A get goes to a negative displacement, before the window (MPI-4.0, 12.3.1: target_disp is a nonnegative integer).
 *
 * check: -n 2: rma-bounds error HERE
 */
#include <mpi.h>

static int memory[4] = {3, 4};

int main(int argc, char **argv)
{
    int rank, got = 0;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(memory + 1, 3 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Get(&got, 1, MPI_INT, 1, -1, 1, MPI_INT, win); /* HERE */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
