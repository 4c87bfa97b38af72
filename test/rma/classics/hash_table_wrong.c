/*
 * A hash table whose slots are looked at first and written afterwards: two keys may take the same one, and one of them
 * is lost.
 *
 * check: -n 2: exit-code error -
 */
#include <stdio.h>
#include <string.h>

#include <mpi.h>

enum { SLOTS = 4, PLACES = 4 };

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

/* Slot i is at place i / 2 of rank i % 2; 0 is empty. */
static void insert(int key)
{
    int slot = key % SLOTS;

    while (atomically(0, MPI_NO_OP, slot % 2, slot / 2) != 0)
        slot = (slot + 1) % SLOTS;
    atomically(key, MPI_REPLACE, slot % 2, slot / 2);
}

int main(int argc, char **argv)
{
    int keys[SLOTS], sum = 0;

    open_window(&argc, &argv);
    if (rank == 0) {
        insert(1);
        insert(5);
    } else {
        insert(9);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < SLOTS; i++)
        sum += keys[i] = atomically(0, MPI_NO_OP, i % 2, i / 2);
    close_window();
    return sum != 15;
}
