/*
 * A lock by compare and swap, tried until it succeeds.
 *
 * check: -n 2: none
 * runs: -n 2: merged 1
 * check: -n 3: none
 * runs: -n 3: merged 1
 * outcomes: -n 2: 1
 * outcomes: -n 3: 1
 */
#include <string.h>

#include <mpi.h>

enum { LOCK, INSIDE, PLACES = 4 };

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

static int compare_and_swap(int expected, int wanted, int target, int place)
{
    int old;

    MPI_Compare_and_swap(&wanted, &expected, &old, MPI_INT, target, place, win);
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
    int alone;

    open_window(&argc, &argv);
    while (compare_and_swap(0, 1, 0, LOCK) != 0)
        ;
    alone = critical_section();
    compare_and_swap(1, 0, 0, LOCK);
    close_window();
    return !alone;
}
