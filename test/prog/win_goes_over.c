/*
 * More accesses than are remembered at one time, under locks and without a meeting of all: those that are alike are forgotten, and what ranks know is not.
 * Of a put at the beginning a message tells at the end, so that another one comes after it.  win_race_old.c is the same without the message.
 * MPICH takes half a minute for it if there are fewer processors than ranks.
 *
 * run: -n 3
 * compare: openmpi
 */
#include <mpi.h>
#include <stdio.h>

enum { ROUNDS = 300000, OLD = 5, TARGET = 2 };

static int rank, *window, sent;

static void put(int value, int at, MPI_Win win)
{
    sent = value;
    MPI_Put(&sent, 1, MPI_INT, TARGET, at, 1, MPI_INT, win);
    MPI_Win_flush(TARGET, win);
}

int main(int argc, char **argv)
{
    int bad = 0;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(8 * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        put(1, OLD, win);
    for (int i = 0; i < ROUNDS && rank != TARGET; i++)
        put(i, rank, win);
    if (rank == 0)
        MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        put(2, OLD, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == TARGET) {
        printf("%d %d %d\n", window[0], window[1], window[OLD]);
        bad = window[0] != ROUNDS - 1 || window[1] != ROUNDS - 1 || window[OLD] != 2;
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return bad;
}
