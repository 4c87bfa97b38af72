/*
 * A counter of units of work that are not yet done: rank 0 counts the unit that it gives to the last rank before it
 * counts its own as done. When the counter is 0, all is done.
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

enum { ACTIVE, INBOX, PLACES = 4 };

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

static void finish_unit(void)
{
    atomically(-1, MPI_SUM, 0, ACTIVE);
}

static void give_unit(int target)
{
    atomically(1, MPI_SUM, 0, ACTIVE);
    atomically(1, MPI_SUM, target, INBOX);
}

/* Works off what comes in, until nobody has anything to do. */
static int work_until_the_end(void)
{
    int done = 0;

    while (atomically(0, MPI_NO_OP, 0, ACTIVE) > 0)
        while (done < atomically(0, MPI_NO_OP, rank, INBOX)) {
            done++;
            finish_unit();
        }
    return done;
}

int main(int argc, char **argv)
{
    int done = 0;

    open_window(&argc, &argv);
    if (rank == 0)
        atomically(1, MPI_SUM, 0, ACTIVE);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        give_unit(size - 1);
        finish_unit();
    } else {
        done = work_until_the_end();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    done -= atomically(0, MPI_NO_OP, rank, INBOX);
    close_window();
    return done != 0;
}
