/*
 * Two ranks replace a pair of numbers with one accumulate each under an exclusive lock, which keeps the pair together
 * (MPI-4.0, 12.5.3).
 *
 * check: -n 3: none
 */
#include <mpi.h>

static int different;

int main(int argc, char **argv)
{
    int rank, numbers[2], *window;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    numbers[0] = numbers[1] = rank;
    if (rank < 2) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, win);
        MPI_Accumulate(numbers, 2, MPI_INT, 2, 0, 2, MPI_INT, MPI_REPLACE, win);
        MPI_Win_unlock(2, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    different = rank == 2 && window[0] != window[1];
    MPI_Win_unlock(rank, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return different;
}
