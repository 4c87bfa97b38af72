/*
 * Every rank has a task, takes it, and then what is left with the others, one after the other. Whether there is one is
 * looked up before it is taken: two may take the same.
 *
 * check: -n 3: exit-code error -
 */
#include <mpi.h>

enum { TASKS, DONE, PLACES = 4 }; /* as many as MPICH 4.0 over UCX can bear: 16 bytes (values/alignment.c) */

static MPI_Win win;

static int atomically(int operand, MPI_Op op, int target, int place)
{
    int old;

    MPI_Fetch_and_op(&operand, &old, MPI_INT, target, place, op, win);
    MPI_Win_flush(target, win);
    return old;
}

static int take_task(int victim)
{
    int left = atomically(0, MPI_NO_OP, victim, TASKS);

    if (left > 0)
        atomically(-1, MPI_SUM, victim, TASKS);
    return left > 0;
}

int main(int argc, char **argv)
{
    int rank, size, *window, done;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(PLACES * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    MPI_Win_lock_all(0, win);
    window[TASKS] = 1;
    window[DONE] = 0;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        if (take_task((rank + i) % size))
            atomically(1, MPI_SUM, 0, DONE);
    MPI_Barrier(MPI_COMM_WORLD);
    done = atomically(0, MPI_NO_OP, 0, DONE);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return done != size;
}
