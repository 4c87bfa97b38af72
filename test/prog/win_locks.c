/*
 * Locks of windows that ranks find free or held: numbers counted up under an exclusive lock by get and put, sums under shared ones, epochs
 * without accesses, and locks that are held while messages go round.  No count may be lost.
 *
 * run: -n 2 200
 * compare: openmpi
 * run: -n 4 1500
 * run: -n 5 60
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNTED, SUMMED, OWN, CELLS = 8 };

static long *cells;
static int rank, size;

static unsigned next_number(unsigned *seed)
{
    *seed = *seed * 1103515245u + 12345u;
    return *seed >> 16;
}

static void count_up(int target, MPI_Win win)
{
    long value;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, win);
    MPI_Get(&value, 1, MPI_LONG, target, COUNTED, 1, MPI_LONG, win);
    MPI_Win_flush(target, win);
    value++;
    MPI_Put(&value, 1, MPI_LONG, target, COUNTED, 1, MPI_LONG, win);
    MPI_Win_unlock(target, win);
}

static void add_one(int target, MPI_Win win)
{
    const long one = 1;
    MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win);
    MPI_Accumulate(&one, 1, MPI_LONG, target, SUMMED, 1, MPI_LONG, MPI_SUM, win);
    MPI_Win_unlock(target, win);
}

static void touch_nothing(int target, MPI_Win win)
{
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, win);
    MPI_Win_unlock(target, win);
}

/* Nobody wants another lock meanwhile: it would be waited for by one whose message is waited for here. */
static void hold_over_a_message(MPI_Win win)
{
    int right = (rank + 1) % size, left = (rank + size - 1) % size, word = rank, heard;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, win);
    MPI_Put(&(long){rank}, 1, MPI_LONG, right, OWN, 1, MPI_LONG, win);
    MPI_Sendrecv(&word, 1, MPI_INT, right, 0, &heard, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Win_unlock(right, win);
    MPI_Barrier(MPI_COMM_WORLD);
}

static long cell_of(int which, MPI_Win win)
{
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    long value = cells[which];
    MPI_Win_unlock(rank, win);
    return value;
}

int main(int argc, char **argv)
{
    MPI_Win win;
    long counted[2] = {0, 0}, found[2], all[2], wanted[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    unsigned seed = 17u + (unsigned)rank;
    MPI_Win_allocate(CELLS * sizeof *cells, sizeof *cells, MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
    for (int i = 0; i < CELLS; i++)
        cells[i] = 0;
    MPI_Win_unlock(rank, win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < atoi(argv[1]); i++) {
        int target = (int)(next_number(&seed) % (unsigned)size);
        switch (next_number(&seed) % 3) {
        case 0:
            count_up(target, win);
            counted[0]++;
            break;
        case 1:
            add_one(target, win);
            counted[1]++;
            break;
        default:
            touch_nothing(target, win);
        }
        if (i % 50 == 49)
            hold_over_a_message(win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    found[0] = cell_of(COUNTED, win);
    found[1] = cell_of(SUMMED, win);
    MPI_Allreduce(counted, wanted, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(found, all, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    printf("%d: %s, from %ld\n", rank, all[0] == wanted[0] && all[1] == wanted[1] ? "all are there" : "some are lost",
           cell_of(OWN, win));
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
