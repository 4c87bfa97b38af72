/*
 * A ticket lock: who comes draws a number and waits until it is served. The place that it guards is written with plain
 * puts, and the last owner is printed, who may be anybody.
 *
 * check: -n 2: none
 * runs: -n 2: merged 1
 * check: -n 3: none
 * runs: -n 3: merged 1
 * outcomes: -n 2: 2
 * outcomes: -n 3: 3
 */
#include <stdio.h>
#include <string.h>

#include <mpi.h>

enum { TICKETS, SERVED, OWNER, PLACES = 4 };

static int *window, rank, size;
static MPI_Win win;

/* Applies an operator to a number of somebody's window; what was there before. */
static int atomically(int operand, MPI_Op op, int target, int place)
{
    int old;

    MPI_Fetch_and_op(&operand, &old, MPI_INT, target, place, op, win);
    MPI_Win_flush(target, win);
    return old;
}

/* A window of zeros, locked by all. */
static void open_window(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(PLACES * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    MPI_Win_lock_all(0, win);
    memset(window, 0, PLACES * sizeof *window);
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void close_window(void)
{
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
}

int main(int argc, char **argv)
{
    int ticket;

    open_window(&argc, &argv);
    ticket = atomically(1, MPI_SUM, 0, TICKETS);
    while (atomically(0, MPI_NO_OP, 0, SERVED) != ticket)
        ;
    MPI_Put(&rank, 1, MPI_INT, 0, OWNER, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
    atomically(1, MPI_SUM, 0, SERVED);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Win_sync(win);
        printf("owner %d\n", window[OWNER]);
    }
    close_window();
    return 0;
}
