/*
 * Several producers and a consumer with one slot in the consumer's window; producers draw tickets, and do not wait until the item before
 * theirs was taken.  All have drawn theirs before anyone puts, or a job in which one is quick would show no race.
 *
 * check: -n 3: rma-race error FIRST
 * check: -n 3: rma-race error FIRST
 * race: -n 3: FIRST FIRST
 * race: -n 3: FIRST SECOND
 */
#include <string.h>

#include <mpi.h>

enum { TICKET, GOT, SLOT, SEQUENCE, PLACES };

static int *window, rank, size, buffer;
static MPI_Win win;

/* Applies an operator to a number of the buffer; what was there before. */
static int atomically(int operand, MPI_Op op, int place)
{
    int old;

    MPI_Fetch_and_op(&operand, &old, MPI_INT, buffer, place, op, win);
    MPI_Win_flush(buffer, win);
    return old;
}

/* A window of zeros, locked by all; the last rank has the buffer. */
static void open_window(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    buffer = size - 1;
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
    int ticket = atomically(1, MPI_SUM, TICKET);

    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Put(&item, 1, MPI_INT, buffer, SLOT, 1, MPI_INT, win); /* FIRST */
    MPI_Win_flush(buffer, win);
    atomically(ticket + 1, MPI_MAX, SEQUENCE);
}

static int consume(int number)
{
    int item;

    while (atomically(0, MPI_NO_OP, SEQUENCE) < number + 1)
        ;
    MPI_Get(&item, 1, MPI_INT, buffer, SLOT, 1, MPI_INT, win); /* SECOND */
    MPI_Win_flush(buffer, win);
    atomically(number + 1, MPI_REPLACE, GOT);
    return item;
}

int main(int argc, char **argv)
{
    int sum = 0;

    open_window(&argc, &argv);
    if (rank < buffer)
        produce(rank + 1);
    else
        MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; rank == buffer && i < buffer; i++)
        sum += consume(i);
    close_window();
    return 0;
}
