/*
 * In a single run all workers of a master get their share of the work, whichever way it waits for whoever is first: receives from any source, probes and polls
 * have the sources take turns.  A message that a probe from any source saw is the one that a receive from any source takes then.
 *
 * run: -n 4
 * run: -n 7
 * compare: none
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum way { RECEIVES, RECEIVES_LATER, PROBES, PROBES_FOR_ANY, POLLS, WAYS };
enum { TASKS = 12, RESULT = 1, TASK, END };

static int size;

static MPI_Status receive(enum way way)
{
    MPI_Status status, seen;
    MPI_Request request;
    int value, there = 0;
    switch (way) {
    case RECEIVES:
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, RESULT, MPI_COMM_WORLD, &status);
        return status;
    case RECEIVES_LATER:
        MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, RESULT, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, &status);
        return status;
    case PROBES:
    case PROBES_FOR_ANY:
        MPI_Probe(MPI_ANY_SOURCE, RESULT, MPI_COMM_WORLD, &seen);
        break;
    default:
        while (!there)
            MPI_Iprobe(MPI_ANY_SOURCE, RESULT, MPI_COMM_WORLD, &there, &seen);
    }
    MPI_Recv(&value, 1, MPI_INT, way == PROBES ? seen.MPI_SOURCE : MPI_ANY_SOURCE, RESULT, MPI_COMM_WORLD, &status);
    if (status.MPI_SOURCE != seen.MPI_SOURCE)
        printf("a probe saw rank %d, and the receive took rank %d\n", seen.MPI_SOURCE, status.MPI_SOURCE), MPI_Abort(MPI_COMM_WORLD, 1);
    return status;
}

static int share_out(enum way way)
{
    int given[64] = {0}, wrong = 0, workers = size - 1;
    for (int left = workers * TASKS, ended = 0; ended < workers;) {
        MPI_Status status = receive(way);
        int tag = left > 0 ? TASK : END;
        MPI_Send(&left, 1, MPI_INT, status.MPI_SOURCE, tag, MPI_COMM_WORLD);
        given[status.MPI_SOURCE] += tag == TASK;
        left -= tag == TASK;
        ended += tag == END;
    }
    for (int w = 1; w < size; w++)
        if (given[w] != TASKS && ++wrong)
            printf("in way %d rank %d got %d tasks, not %d\n", way, w, given[w], TASKS);
    return wrong;
}

static void work(int rank)
{
    MPI_Status status;
    do {
        int task;
        if (rank % 3 == 0)
            usleep(50);
        MPI_Send(&rank, 1, MPI_INT, 0, RESULT, MPI_COMM_WORLD);
        MPI_Recv(&task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    } while (status.MPI_TAG != END);
}

int main(int argc, char **argv)
{
    int rank, wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (enum way way = RECEIVES; way < WAYS; way++) {
        if (rank == 0)
            wrong += share_out(way);
        else
            work(rank);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return wrong != 0;
}
