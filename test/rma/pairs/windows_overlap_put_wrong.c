/*
 * Two windows share memory, and two ranks put to the same place of it, each by another window (MPI-4.0, 12.2.1 and
 * 12.7).
 *
 * check: -n 3: rma-race error FIRST
 * race: -n 3: FIRST SECOND
 */
#include <mpi.h>

static int memory[8];

int main(int argc, char **argv)
{
    int rank, value = 7;
    MPI_Win win, second;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(memory, 5 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create(memory + 4, 4 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &second);
    MPI_Win_fence(0, win);
    MPI_Win_fence(0, second);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_INT, 2, 4, 1, MPI_INT, win); /* FIRST */
    if (rank == 1)
        MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, second); /* SECOND */
    MPI_Win_fence(0, second);
    MPI_Win_fence(0, win);
    MPI_Win_free(&second);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
