/*
 * A put at the beginning and one at the end, to one place, with more accesses between them than are remembered at one time and without a meeting of all:
 * what was forgotten in between must not hide the race.  In win_goes_over.c a message tells of the first.
 *
 * run: -n 3
 * exit: 1
 * compare: none
 * expect: "two accesses to the same bytes of a window are not ordered" [rma-race]
 * expect: rank 0 MPI_Put at FIRST
 * expect: rank 1 MPI_Put at SECOND
 */
#include <mpi.h>

enum { ROUNDS = 300000, OLD = 5, TARGET = 2 };

static int rank, *window, sent;

int main(int argc, char **argv)
{
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(8 * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Put(&sent, 1, MPI_INT, TARGET, OLD, 1, MPI_INT, win); /* FIRST */
    MPI_Win_flush_all(win);
    for (int i = 0; i < ROUNDS && rank != TARGET; i++) {
        MPI_Put(&sent, 1, MPI_INT, TARGET, rank, 1, MPI_INT, win);
        MPI_Win_flush(TARGET, win);
    }
    if (rank == 1)
        MPI_Put(&sent, 1, MPI_INT, TARGET, OLD, 1, MPI_INT, win); /* SECOND */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
