/*
 * Peterson's algorithm for two, as in MPI-4.0, 12.8: who wants to enter says so, lets the other go first, and waits
 * while that one wants and may.
 *
 * check: -n 2: none
 * runs: -n 2: merged 1
 * outcomes: -n 2: 1
 */
#include <string.h>

#include <mpi.h>

enum { WANTS, TURN, INSIDE, PLACES = 4 };

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

/* Nobody else may be here. */
static int critical_section(void)
{
    int alone = atomically(1, MPI_SUM, 0, INSIDE) == 0;

    atomically(-1, MPI_SUM, 0, INSIDE);
    return alone;
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
    int alone, other;

    open_window(&argc, &argv);
    other = 1 - rank;
    atomically(1, MPI_REPLACE, rank, WANTS);
    atomically(other, MPI_REPLACE, 0, TURN);
    while (atomically(0, MPI_NO_OP, other, WANTS) && atomically(0, MPI_NO_OP, 0, TURN) == other)
        ;
    alone = critical_section();
    atomically(0, MPI_REPLACE, rank, WANTS);
    close_window();
    return !alone;
}
