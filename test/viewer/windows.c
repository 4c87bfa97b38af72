/* Ranks 1 and 2 count in the window of rank 0, one at a time; the first sends a message, and rank 0 takes it to be rank 1. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *window, count = 0, next;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(2 * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    window[0] = window[1] = 0;
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank > 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win); /* LOCK */
        MPI_Get(&count, 1, MPI_INT, 0, 1, 1, MPI_INT, win); /* GET */
        MPI_Win_flush(0, win);
        next = count + 1;
        MPI_Put(&next, 1, MPI_INT, 0, 1, 1, MPI_INT, win); /* PUT */
        MPI_Win_unlock(0, win);
        if (count == 0)
            MPI_Send(&next, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&next, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* STUCK */
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
