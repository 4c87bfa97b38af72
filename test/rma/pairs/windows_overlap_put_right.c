/*
 * Two windows lie side by side, and two ranks put, each by another window (MPI-4.0, 12.2.1).
 *
 * check: -n 3: none
 */
#include <mpi.h>

static int memory[8];

int main(int argc, char **argv)
{
    int rank, value = 7;
    MPI_Win win, second;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(memory, 4 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create(memory + 4, 4 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &second);
    MPI_Win_fence(0, win);
    MPI_Win_fence(0, second);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_INT, 2, 1, 1, MPI_INT, win);
    if (rank == 1)
        MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, second);
    MPI_Win_fence(0, second);
    MPI_Win_fence(0, win);
    MPI_Win_free(&second);
    MPI_Win_free(&win);
    MPI_Finalize();
    return rank == 2 && (memory[1] != 7 || memory[4] != 7);
}
