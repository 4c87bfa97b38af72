/*
 * Three philosophers and three forks, which are exclusive locks of ranks in two windows; each takes that with the
 * lower number first.
 *
 * check: -n 3: none
 * runs: -n 3: 6, merged 1
 * outcomes: -n 3: 1
 */
#include <mpi.h>

enum { FORKS = 3, PLACES = 4 };

static int rank;
static MPI_Win shelf[2];

/* Fork i is the lock of rank i in window i % 2; the put and the flush make sure that it is held. */
static void take(int fork)
{
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, fork, 0, shelf[fork % 2]);
    MPI_Put(&rank, 1, MPI_INT, fork, 0, 1, MPI_INT, shelf[fork % 2]);
    MPI_Win_flush(fork, shelf[fork % 2]);
}

static void give_back(int fork)
{
    MPI_Win_unlock(fork, shelf[fork % 2]);
}

int main(int argc, char **argv)
{
    int *memory, first, second;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 2; i++)
        MPI_Win_allocate(PLACES * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &shelf[i]);
    first = (rank + 1) % FORKS;
    second = rank;
    if (first > second) {
        first = rank;
        second = rank + 1;
    }
    take(first);
    take(second);
    give_back(second);
    give_back(first);
    for (int i = 0; i < 2; i++)
        MPI_Win_free(&shelf[i]);
    MPI_Finalize();
    return 0;
}
