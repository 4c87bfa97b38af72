/*
 * A dealer hands out tasks, to whoever brings a result: the numbers of tasks are looked at (the last one is STOP), results are
 * only added up, and rounding makes every order another sum.  The first argument is the number of tasks.
 *
 * With a second one, "picky", the dealer waits for ever if the sum came about in another order than the first: there, results count.
 *
 * paths: -n 3 -- 6: runs 2 stood 32 segments 51
 * paths: -n 4 -- 6: runs 3 stood 162 segments 94
 * paths: -n 4 -- 20: runs 3 stood 774840978 segments 388
 * paths: -n 8 -- 10: runs 7 stood 1728720
 * paths: -n 3 -- 3 picky: runs 3 stood 4 finds deadlock
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TASK = 1, RESULT = 2, STOP = -1 };

static void give(int worker, int task)
{
    MPI_Send(&task, 1, MPI_INT, worker, TASK, MPI_COMM_WORLD);
}

static double deal(int workers, int tasks)
{
    double sum = 0, part;
    MPI_Status status;
    int next = 0;
    for (int w = 1; w <= workers; w++)
        give(w, next < tasks ? next++ : STOP);
    for (int done = 0; done < tasks; done++) {
        MPI_Recv(&part, 1, MPI_DOUBLE, MPI_ANY_SOURCE, RESULT, MPI_COMM_WORLD, &status);
        sum = sum / 3 + part;
        give(status.MPI_SOURCE, next < tasks ? next++ : STOP);
    }
    return sum;
}

static void work(void)
{
    int task;
    for (;;) {
        MPI_Recv(&task, 1, MPI_INT, 0, TASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (task == STOP)
            return;
        double part = sin(task + 0.1) / (1 + sqrt(task));
        MPI_Send(&part, 1, MPI_DOUBLE, 0, RESULT, MPI_COMM_WORLD);
    }
}

/* In the first run the workers take turns. */
static double sum_in_order(int tasks)
{
    double sum = 0;
    for (int task = 0; task < tasks; task++)
        sum = sum / 3 + sin(task + 0.1) / (1 + sqrt(task));
    return sum;
}

int main(int argc, char **argv)
{
    int rank, size, tasks, never;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    tasks = atoi(argv[1]);
    if (rank == 0) {
        double sum = deal(size - 1, tasks);
        printf("%.6f\n", sum);
        if (argc > 2 && fabs(sum - sum_in_order(tasks)) > 1e-9)
            MPI_Recv(&never, 1, MPI_INT, 1, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        work();
    }
    MPI_Finalize();
    return 0;
}
