/*
 * More fences than are remembered at one time, then a lock that is held over many barriers, and only then two puts to one place: what was compared
 * and forgotten before must not hide the race.  win_chapters.c is the same without it.
 *
 * run: -n 2
 * exit: 1
 * compare: none
 * expect: "two accesses to the same bytes of a window are not ordered" [rma-race]
 * expect: rank 0 MPI_Put at HERE
 * expect: rank 1 MPI_Put at HERE
 */
#include <mpi.h>

enum { FENCES = 4000, BARRIERS = 4000 };

static int rank, *window, sent;

static void put(int value, int target, int at, MPI_Win win)
{
    sent = value;
    MPI_Put(&sent, 1, MPI_INT, target, at, 1, MPI_INT, win);
}

int main(int argc, char **argv)
{
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(8 * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < FENCES; i++) {
        put(i, 1 - rank, i % 8, win);
        MPI_Win_fence(i + 1 < FENCES ? 0 : MPI_MODE_NOSUCCEED, win);
    }
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < BARRIERS; i++) {
        if (rank == i % 2) {
            put(i, i / 2 % 2, 0, win);
            MPI_Win_flush_all(win);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    sent = rank;
    MPI_Put(&sent, 1, MPI_INT, 0, 3, 1, MPI_INT, win); /* HERE */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
