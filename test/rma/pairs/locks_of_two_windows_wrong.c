/*
 * Two ranks take exclusive locks of rank 0 in two windows, in different orders (MPI-4.0, 12.5.3).
 *
 * check: -n 2: deadlock error STUCK
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 7, *memory[2];
    MPI_Win win[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 2; i++)
        MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory[i], &win[i]);
    for (int i = 0; i < 2; i++) {
        MPI_Win w = win[i == rank];
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, w); /* STUCK */
        MPI_Put(&value, 1, MPI_INT, 0, rank, 1, MPI_INT, w);
        MPI_Win_flush(0, w);
    }
    for (int i = 0; i < 2; i++)
        MPI_Win_unlock(0, win[i]);
    for (int i = 0; i < 2; i++)
        MPI_Win_free(&win[i]);
    MPI_Finalize();
    return 0;
}
