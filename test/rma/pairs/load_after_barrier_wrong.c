/*
 * A put is complete and a barrier has told so; the owner then just loads. In the unified model it sees the value in
 * the end; in the separate model it never need (MPI-4.0, 12.7, rule 6 and the examples after it).
 *
 * check: -n 2: portability note SECOND
 * race: -n 2: FIRST SECOND
 */
#include <mpi.h>

static volatile int seen;

int main(int argc, char **argv)
{
    int rank, value = 7, *window;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* FIRST */
        MPI_Win_flush(1, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        seen = window[0]; /* SECOND */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
