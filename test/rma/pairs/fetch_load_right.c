/*
 * The owner looks at a number in its window while another rank fetches it with MPI_NO_OP: nothing is updated (MPI-4.0, 12.3).
 *
 * check: -n 2: none
 */
#include <mpi.h>

static volatile int got;

int main(int argc, char **argv)
{
    int rank, one = 1, before, *window;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Alloc_mem(4 * sizeof *window, MPI_INFO_NULL, &window);
    *window = 0;
    MPI_Win_create(window, sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Fetch_and_op(&one, &before, MPI_INT, 1, 0, MPI_NO_OP, win); /* FIRST */
    else
        got = *window; /* SECOND */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Free_mem(window);
    MPI_Finalize();
    return 0;
}
