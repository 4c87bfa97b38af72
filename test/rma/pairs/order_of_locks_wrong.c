/*
 * Rank 0 puts and then takes the lock of rank 1; rank 1 takes it and then puts to the same place. The lock orders the puts
 * only if rank 0 happens to be first (MPI-4.0, 12.5.3: in which order locks are granted is open).
 *
 * check: -n 3: rma-race error FIRST
 * race: -n 3: FIRST SECOND
 */
#include <mpi.h>

static int *window, value = 7;
static MPI_Win win;

/* What was got shows that the lock was held. */
static void pass_through_lock(void)
{
    int held;

    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
    MPI_Get(&held, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    MPI_Win_unlock(1, win);
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 2, 0, win);
        MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, win); /* FIRST */
        MPI_Win_unlock(2, win);
        pass_through_lock();
    } else if (rank == 1) {
        pass_through_lock();
        MPI_Win_lock(MPI_LOCK_SHARED, 2, 0, win);
        MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, win); /* SECOND */
        MPI_Win_unlock(2, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
