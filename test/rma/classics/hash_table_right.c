/*
 * A hash table of four slots on two ranks; three keys fall on the same slot and probe on, each slot being taken by
 * compare and swap. Rank 0 enters 1 before 5, so that there are three orders of 1, 5 and 9.
 *
 * check: -n 2: none
 * runs: -n 2: merged 1
 * outcomes: -n 2: 3
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

static int compare_and_swap(int expected, int wanted, int target, int place)
{
    int old;

    MPI_Compare_and_swap(&wanted, &expected, &old, MPI_INT, target, place, win);
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

    while (compare_and_swap(0, key, slot % 2, slot / 2) != 0)
        slot = (slot + 1) % SLOTS;
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
    if (rank == 0)
        printf("%d %d %d %d\n", keys[0], keys[1], keys[2], keys[3]);
    close_window();
    return sum != 15;
}
