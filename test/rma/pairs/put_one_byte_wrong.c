/*
 * Two ranks put strings whose last and first byte fall together: a window of bytes, one shared byte (MPI-4.0, 12.7).
 *
 * check: -n 3: rma-race error FIRST
 * race: -n 3: FIRST FIRST
 */
#include <mpi.h>

static char window[16];

int main(int argc, char **argv)
{
    int rank;
    char text[4] = "abc";
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(window, sizeof window, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank < 2)
        MPI_Put(text, 4, MPI_CHAR, 2, 3 * rank, 4, MPI_CHAR, win); /* FIRST */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
