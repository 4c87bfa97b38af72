/*
 * What a rank puts to its own window, in passive epochs, is there for its loads once it is complete: the memory model is the unified one
 * (MPI-4.0, 12.4), in which the public copy is the memory of the owner.  The same in a dynamic window and in one that is shared.
 *
 * run: -n 2
 * check: -n 2 -W portability=off: none
 */
#include <mpi.h>

#include "check_value.h"

static int area[4];

static void put(int value, int target, MPI_Aint at, MPI_Win win)
{
    MPI_Put(&value, 1, MPI_INT, target, at, 1, MPI_INT, win);
    MPI_Win_flush(target, win);
}

static void check_allocated(void)
{
    int value = 5, *memory;
    MPI_Win win;
    MPI_Win_allocate(sizeof area, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    memory[0] = 0;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
    MPI_Put(&value, 1, MPI_INT, rank, 0, 1, MPI_INT, win);
    MPI_Win_unlock(rank, win);
    CHECK(memory[0] == 5);
    MPI_Win_lock_all(0, win);
    put(6, rank, 0, win);
    CHECK(memory[0] == 6);
    value = 7;
    MPI_Accumulate(&value, 1, MPI_INT, rank, 0, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_flush_all(win);
    CHECK(memory[0] == 7);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

static void check_dynamic(void)
{
    int value = 9;
    MPI_Aint at;
    MPI_Request request;
    MPI_Win win;
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_attach(win, area, sizeof area);
    MPI_Get_address(area, &at);
    MPI_Win_lock_all(0, win);
    put(8, rank, at, win);
    CHECK(area[0] == 8);
    MPI_Rput(&value, 1, MPI_INT, rank, at, 1, MPI_INT, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_flush(rank, win);
    CHECK(area[0] == 9);
    MPI_Win_unlock_all(win);
    MPI_Win_detach(win, area);
    MPI_Win_free(&win);
}

/* Each in its own part of what the other has. */
static void check_shared(void)
{
    int *memory, *others, unit;
    MPI_Aint bytes;
    MPI_Win win;
    MPI_Win_allocate_shared(sizeof area, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_shared_query(win, 1 - rank, &bytes, &unit, &others);
    MPI_Win_lock_all(0, win);
    put(10 + rank, 1 - rank, 2, win);
    CHECK(others[2] == 10 + rank);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    check_allocated();
    check_dynamic();
    check_shared();
    return end();
}
