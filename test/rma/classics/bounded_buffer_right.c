/*
 * A producer and a consumer with a ring of two slots in the consumer's window: items by put, both counters by
 * accumulates.
 *
 * check: -n 2: none
 * runs: -n 2: merged 1
 * outcomes: -n 2: 1
 */
#include <string.h>

#include <mpi.h>

enum { PUT, GOT, SLOTS, RING = 2, ITEMS = 3, PLACES = 4 };

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

static void produce(int item)
{
    while (item - atomically(0, MPI_NO_OP, 1, GOT) >= RING)
        ;
    MPI_Put(&item, 1, MPI_INT, 1, SLOTS + item % RING, 1, MPI_INT, win);
    MPI_Win_flush(1, win);
    MPI_Accumulate(&(int){1}, 1, MPI_INT, 1, PUT, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_flush(1, win);
}

static int consume(int number)
{
    int item;

    while (atomically(0, MPI_NO_OP, 1, PUT) <= number)
        ;
    MPI_Get(&item, 1, MPI_INT, 1, SLOTS + number % RING, 1, MPI_INT, win);
    MPI_Win_flush(1, win);
    atomically(1, MPI_SUM, 1, GOT);
    return item;
}

int main(int argc, char **argv)
{
    int bad = 0;

    open_window(&argc, &argv);
    for (int i = 0; i < ITEMS; i++) {
        if (rank == 0)
            produce(i);
        else
            bad |= consume(i) != i;
    }
    close_window();
    return bad;
}
