/*
 * Two ranks lock their own windows, and, when both have done so, each other's: whoever has a lock is waited for.
 *
 * run: -n 2
 * compare: none
 * exit: 1
 * expect: deadlock
 * expect: rank 0 MPI_Win_unlock at HERE
 * expect: waits for rank 1
 * expect: cycle: rank 0 waits for 1, which waits for 0
 */
#include "check.h"

int main(int argc, char **argv)
{
    int value, *memory;
    MPI_Win win;

    begin(&argc, &argv);
    MPI_Win_allocate(16, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
    memory[0] = rank;
    MPI_Barrier(MPI_COMM_WORLD); /* each has its own */
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1 - rank, 0, win);
    MPI_Get(&value, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win);
    MPI_Win_unlock(1 - rank, win); /* HERE */
    MPI_Win_unlock(rank, win);
    MPI_Win_free(&win);
    return finish();
}
