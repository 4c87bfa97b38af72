/*
 * Everybody wants the same lock once: as many runs as there are orders; merged, what counts is who was there.
 *
 * explore: -n 2 infinite: runs 2 clean 2
 * explore: -n 3 infinite: runs 6 clean 6
 * explore: -n 3 zero: runs 6 clean 6
 * explore: -n 3 any: runs 6 clean 6
 * explore: -n 4 infinite: runs 24 clean 24
 * merged: -n 4 infinite: runs 1 clean 1
 * merged: -n 4 any: runs 1 clean 1
 * merged: -n 5 infinite: runs 1 clean 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, turn, *window;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(16, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Get(&turn, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
    turn++;
    MPI_Put(&turn, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_unlock(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
