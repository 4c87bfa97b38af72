/*
 * The queue lock of Mellor-Crummey and Scott: who waits looks at its own window only. Ranks are counted from 1, and 0
 * is nobody. The tail is touched by compare and swap only.
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

enum { TAIL, NEXT, WAITING, INSIDE, PLACES };

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

static void acquire(void)
{
    int last = 0, seen;

    atomically(1, MPI_REPLACE, rank, WAITING);
    while ((seen = compare_and_swap(last, rank + 1, 0, TAIL)) != last)
        last = seen;
    if (last) {
        atomically(rank + 1, MPI_REPLACE, last - 1, NEXT);
        while (atomically(0, MPI_NO_OP, rank, WAITING))
            ;
    }
}

static void release(void)
{
    int next;

    if (compare_and_swap(rank + 1, 0, 0, TAIL) == rank + 1)
        return;
    while ((next = atomically(0, MPI_NO_OP, rank, NEXT)) == 0)
        ;
    atomically(0, MPI_REPLACE, next - 1, WAITING);
}

int main(int argc, char **argv)
{
    int alone;

    open_window(&argc, &argv);
    acquire();
    alone = critical_section();
    release();
    close_window();
    return !alone;
}
