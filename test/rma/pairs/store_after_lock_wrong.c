/*
 * The owner stores and then locks: MPI_Win_lock makes nothing public, only unlock or sync does (MPI-4.0, 12.7, rule 5
 * and its example).
 *
 * check: -n 2: portability note FIRST
 * race: -n 2: FIRST SECOND
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, got = 0, *window;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    if (rank == 1)
        window[0] = 5; /* FIRST */
    if (rank == 1)
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Get(&got, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* SECOND */
        MPI_Win_unlock(1, win);
    }
    if (rank == 1)
        MPI_Win_unlock(1, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
