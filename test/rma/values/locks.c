/*
 * Locks of all kinds, and the calls of the flush family.
 *
 * run: -n 3
 * check: -n 3: none
 */
#include <mpi.h>

#include "check_value.h"

enum { PLACES = 16 };

static int *window;
static MPI_Win win;

static void clear(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
    for (int i = 0; i < PLACES; i++)
        window[i] = 0;
    MPI_Win_unlock(rank, win);
    MPI_Barrier(MPI_COMM_WORLD);
}

static int own(int place)
{
    int value;

    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    value = window[place];
    MPI_Win_unlock(rank, win);
    return value;
}

/* Everybody counts up with a get and a put under an exclusive lock. */
static void exclusive(void)
{
    int count;

    clear();
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Get(&count, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
    count++;
    MPI_Put(&count, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_unlock(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(own(0) == (rank == 0 ? size : 0));
}

static void shared(void)
{
    int value = rank + 1;

    clear();
    for (int to = 0; to < size; to++) {
        MPI_Win_lock(MPI_LOCK_SHARED, to, 0, win);
        MPI_Put(&value, 1, MPI_INT, to, rank, 1, MPI_INT, win);
        MPI_Win_unlock(to, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        CHECK(own(i) == i + 1);
}

/* Locks of several targets at a time. */
static void several(void)
{
    int value = 10 + rank;

    clear();
    for (int to = 0; to < size; to++)
        MPI_Win_lock(MPI_LOCK_SHARED, to, 0, win);
    for (int to = 0; to < size; to++)
        MPI_Put(&value, 1, MPI_INT, to, rank, 1, MPI_INT, win);
    for (int to = size - 1; to >= 0; to--)
        MPI_Win_unlock(to, win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        CHECK(own(i) == 10 + i);
}

static void flushes(void)
{
    int right = (rank + 1) % size, left = (rank + size - 1) % size, value = 1, got = -1;

    clear();
    MPI_Win_lock_all(0, win);
    MPI_Put(&value, 1, MPI_INT, right, 0, 1, MPI_INT, win);
    MPI_Win_flush_local(right, win);
    value = 2;
    MPI_Put(&value, 1, MPI_INT, right, 1, 1, MPI_INT, win);
    MPI_Win_flush_local_all(win);
    value = 3;
    MPI_Put(&value, 1, MPI_INT, right, 2, 1, MPI_INT, win);
    MPI_Win_flush(right, win);
    MPI_Put(&value, 1, MPI_INT, left, 3, 1, MPI_INT, win);
    MPI_Win_flush_all(win);
    for (int i = 0; i < 4; i++) {
        MPI_Get(&got, 1, MPI_INT, i < 3 ? right : left, i, 1, MPI_INT, win);
        MPI_Win_flush_local(i < 3 ? right : left, win);
        CHECK(got == (i < 3 ? i + 1 : 3));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);
    CHECK(window[0] == 1 && window[1] == 2 && window[2] == 3 && window[3] == 3);
    MPI_Win_unlock_all(win);
}

/* A store, made public by MPI_Win_sync, is got by others. */
static void stores(void)
{
    int got[3];

    clear();
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    window[4] = 50 + rank;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int from = 0; from < size; from++)
        MPI_Get(&got[from], 1, MPI_INT, from, 4, 1, MPI_INT, win);
    MPI_Win_unlock_all(win);
    for (int from = 0; from < size; from++)
        CHECK(got[from] == 50 + from);
    MPI_Barrier(MPI_COMM_WORLD); /* before anybody takes an exclusive lock */
}

/* Nobody else wants the lock meanwhile, so it need not be checked.  After this MPICH 4.0 grants no exclusive lock. */
static void without_check(void)
{
    int value = 60 + rank;

    clear();
    for (int turn = 0; turn < size; turn++) {
        if (rank == turn) {
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, MPI_MODE_NOCHECK, win);
            MPI_Put(&value, 1, MPI_INT, 0, 5, 1, MPI_INT, win);
            MPI_Win_unlock(0, win);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    CHECK(own(5) == (rank == 0 ? 60 + size - 1 : 0));
}

/* Epochs in which nothing happens. */
static void nothing(void)
{
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
    MPI_Win_unlock(rank, win);
    MPI_Win_lock_all(0, win);
    MPI_Win_flush_all(win);
    MPI_Win_unlock_all(win);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    MPI_Win_allocate(PLACES * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    exclusive();
    shared();
    several();
    flushes();
    stores();
    nothing();
    without_check();
    MPI_Win_free(&win);
    return end();
}
