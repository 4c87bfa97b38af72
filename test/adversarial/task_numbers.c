/*
 * Rank 0 hands out numbered tasks to whoever has brought a result.  The workers decide nothing, and each can be given
 * any task at any time; but whoever waits for the next one has forgotten the last.  So there are as many histories of a
 * worker as tasks, not as orders.  With `wrong` a worker does not forget task 3, and ends if task 5 comes as well: rank 0 then
 * waits in vain, in one order of four.  With `keeps` it remembers the last task and its result.
 *
 * check: -n 3 -- 4: none
 * runs: -n 3 -- 4: 8, merged 2
 * check: -n 4 -- 16: none
 * runs: -n 4 -- 16: merged 3
 * segments: -n 4 -- 16: 1078
 *
 * With `silent` a result tells nothing.  Then there are few states beside those of rank 0, unless each time that a worker waited in
 * the first run is taken for another one: that would be a hundred thousand.
 * check: -n 8 -- 40 silent: none
 * runs: -n 8 -- 40 silent: merged 7
 * segments: -n 8 -- 40 silent: 2162
 *
 * check: -n 3 -- 8 wrong: deadlock error WAITS
 * runs: -n 3 -- 8 wrong: merged 4
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { TASK, RESULT, STOP = -1 };

/* To one worker; -1: there is none left. */
static int hand_out(int next, int tasks, int worker)
{
    int task = next < tasks ? next : STOP;

    MPI_Send(&task, 1, MPI_INT, worker, TASK, MPI_COMM_WORLD);
    return task;
}

static void lead(int tasks, int size)
{
    int next = 0, out = 0, result, worker;
    MPI_Status status;

    for (worker = 1; worker < size; worker++)
        out += hand_out(next++, tasks, worker) != STOP;
    while (out > 0) {
        MPI_Recv(&result, 1, MPI_INT, MPI_ANY_SOURCE, RESULT, MPI_COMM_WORLD, &status); /* WAITS */
        worker = status.MPI_SOURCE;
        status.MPI_SOURCE = result = 0;
        out -= hand_out(next, tasks, worker) == STOP;
        next++;
    }
}

static void work(const char *how)
{
    int leaves = !strcmp(how, "wrong"), silent = !strcmp(how, "silent"), keeps = !strcmp(how, "keeps");
    int task, result, third = 0;

    for (;;) {
        MPI_Recv(&task, 1, MPI_INT, 0, TASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (task == STOP || (third && task == 5))
            return;
        third |= leaves && task == 3;
        result = silent ? 0 : task * task;
        task = keeps ? task : 0;
        MPI_Send(&result, 1, MPI_INT, 0, RESULT, MPI_COMM_WORLD);
        result = keeps ? result : 0;
    }
}

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        lead(atoi(argv[1]), size);
    else
        work(argc > 2 ? argv[2] : "");
    MPI_Finalize();
    return 0;
}
