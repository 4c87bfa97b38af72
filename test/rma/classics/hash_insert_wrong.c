/*
 * A table that is spread over all ranks, with open addressing: everybody inserts a key, beginning at the same place, and looks at it
 * before it writes there, which somebody else may do as well: a key is lost.
 *
 * check: -n 3: exit-code error -
 */
#include <string.h>

#include <mpi.h>

enum { PLACES = 2, NOTHING = 0 }; /* at each rank; what is in an empty one */

static MPI_Win win;

/* Whether the place was empty, and has the key now. */
static int insert(int key, int target, int place)
{
    int there;

    MPI_Fetch_and_op(NULL, &there, MPI_INT, target, place, MPI_NO_OP, win);
    MPI_Win_flush(target, win);
    if (there == NOTHING)
        MPI_Accumulate(&key, 1, MPI_INT, target, place, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_flush(target, win);
    return there == NOTHING;
}

int main(int argc, char **argv)
{
    int rank, size, *table, number = 0, mine = 0, all;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(PLACES * sizeof *table, sizeof *table, MPI_INFO_NULL, MPI_COMM_WORLD, &table, &win);
    MPI_Win_lock_all(0, win);
    memset(table, NOTHING, PLACES * sizeof *table);
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    while (!insert(100 + rank, number / PLACES % size, number % PLACES))
        number++;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);
    for (int i = 0; i < PLACES; i++)
        mine += table[i] != NOTHING;
    MPI_Win_unlock_all(win);
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Finalize();
    return all != size;
}
