/*
 * A master hands out tasks by wildcard, whoever asks gets the next: the usual
 * shape of a non-deterministic program. Only the total is printed.
 *
 * run: -n 4
 */
#include "check.h"

enum { TASKS = 12, TASK = 1, RESULT = 2, STOP = 3 };

static void master(void)
{
    int next = 0, sum = 0, result;
    MPI_Status status;

    for (int worker = 1; worker < size; worker++, next++)
        MPI_Send(&next, 1, MPI_INT, worker, TASK, MPI_COMM_WORLD);
    for (int done = 0; done < TASKS; done++) {
        MPI_Recv(&result, 1, MPI_INT, MPI_ANY_SOURCE, RESULT, MPI_COMM_WORLD, &status);
        sum += result;
        if (next < TASKS)
            MPI_Send(&next, 1, MPI_INT, status.MPI_SOURCE, TASK, MPI_COMM_WORLD);
        else
            MPI_Send(NULL, 0, MPI_INT, status.MPI_SOURCE, STOP, MPI_COMM_WORLD);
        next++;
    }
    say("sum of squares %d", sum);
    CHECK(sum == 506);
}

static void worker(void)
{
    int task, result;
    MPI_Status status;

    for (;;) {
        MPI_Recv(&task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == STOP)
            return;
        result = task * task;
        MPI_Send(&result, 1, MPI_INT, 0, RESULT, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    if (rank == 0)
        master();
    else
        worker();
    return finish();
}
