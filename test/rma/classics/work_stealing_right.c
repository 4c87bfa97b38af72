/*
 * Each rank has a queue of one task and, when its own is empty, takes from the other's. Who did the tasks is printed:
 * the two cannot have swapped them, so there are three outcomes.
 *
 * check: -n 2: none
 * runs: -n 2: merged 1
 * outcomes: -n 2: 3
 */
#include <stdio.h>
#include <string.h>

#include <mpi.h>

enum { NEXT, DOER, TASKS = 1, PLACES = 4 };

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

static int take_from(int victim)
{
    int one = 1, task;

    MPI_Fetch_and_op(&one, &task, MPI_INT, victim, NEXT, MPI_SUM, win);
    MPI_Win_flush(victim, win);
    return task;
}

static void do_tasks_of(int victim)
{
    while (take_from(victim) < TASKS)
        atomically(rank, MPI_REPLACE, victim, DOER);
}

int main(int argc, char **argv)
{
    open_window(&argc, &argv);
    do_tasks_of(rank);
    do_tasks_of(1 - rank);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);
    printf("task of %d done by %d\n", rank, window[DOER]);
    close_window();
    return 0;
}
