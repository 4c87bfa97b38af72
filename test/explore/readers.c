/*
 * Some want the lock to read, the last one to write: who reads before the writer is all that is open; without a writer, nothing is.
 *
 * explore: -n 3 infinite -- all: runs 1 clean 1
 * explore: -n 3 any -- all: runs 1 clean 1
 * explore: -n 2 infinite: runs 2 clean 2
 * explore: -n 2 zero: runs 2 clean 2
 * explore: -n 2 any: runs 2 clean 2
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, value = 0, *window;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(16, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    if (rank < size - 1 || argc > 1) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
    } else {
        value = 1;
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
