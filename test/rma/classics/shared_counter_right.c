/*
 * Three tasks that ranks take from a shared counter; who takes which is printed. Any rank can take any task, so there
 * are 2 to the power of 3 outcomes.
 *
 * check: -n 2: none
 * runs: -n 2: 96, merged 1
 * outcomes: -n 2: 8
 */
#include <stdio.h>
#include <string.h>

#include <mpi.h>

enum { NEXT, TAKEN, TASKS = 3, PLACES = 4 };

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

static int take(void)
{
    int one = 1, task;

    MPI_Fetch_and_op(&one, &task, MPI_INT, 0, NEXT, MPI_SUM, win);
    MPI_Win_flush(0, win);
    return task;
}

int main(int argc, char **argv)
{
    int task;

    open_window(&argc, &argv);
    while ((task = take()) < TASKS)
        atomically(rank + 1, MPI_REPLACE, 0, TAKEN + task);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);
    if (rank == 0)
        printf("tasks of ranks %d %d %d\n", window[TAKEN] - 1, window[TAKEN + 1] - 1, window[TAKEN + 2] - 1);
    close_window();
    return 0;
}
