/*
 * More fences than are remembered at one time, and a lock that is held over many barriers: nothing of it is a race, though what was compared is
 * forgotten in between.  win_race_late.c has one at its end.
 *
 * run: -n 2
 */
#include <mpi.h>
#include <stdio.h>

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
    MPI_Put(&sent, 1, MPI_INT, 0, 3 + rank, 1, MPI_INT, win);
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d %d\n", window[3], window[4]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
