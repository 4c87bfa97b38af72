/*
 * The owner looks at a counter in its window with MPI_Fetch_and_op and MPI_NO_OP (MPI-4.0, 12.3.4).
 *
 * check: -n 2: none
 */
#include <stddef.h>

#include <mpi.h>

static int got;

int main(int argc, char **argv)
{
    int rank, one = 1, *window;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Alloc_mem(4 * sizeof *window, MPI_INFO_NULL, &window);
    *window = 0;
    MPI_Win_create(window, sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Accumulate(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win);
    else
        MPI_Fetch_and_op(NULL, &got, MPI_INT, 1, 0, MPI_NO_OP, win);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Free_mem(window);
    MPI_Finalize();
    return got < 0 || got > 1;
}
