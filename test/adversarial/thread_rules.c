/*
 * What the threads of a rank must not do at the same time: collectives on one communicator, completing one request, probing for
 * a message that the other receives, and any calls with MPI_THREAD_SERIALIZED.  Twins are right: communicators of their own, a request
 * for each, MPI_Mprobe.  Threads in probes poll, so there are more runs than orders, which are 4 with MPI_Probe and 2 with MPI_Mprobe.
 *
 * check: -n 2 -- collective: thread-collective error COLLECTIVE
 * runs: -n 2 -- collective: 4, merged 1
 * check: -n 2 -- own_collective: none
 * runs: -n 2 -- own_collective: 1, merged 1
 * check: -n 2 -- probe: thread-probe error RECEIVE
 * runs: -n 2 -- probe: 8, merged 1
 * check: -n 2 -- mprobe: none
 * runs: -n 2 -- mprobe: 6, merged 1
 * assumed: -n 2 -- mprobe: threads: deadlocks that need less buffering were not looked for meanwhile
 * check: -n 2 -- request: thread-request error REQUEST
 * runs: -n 2 -- request: 1, merged 1
 * check: -n 2 -- own_request: none
 * runs: -n 2 -- own_request: 1, merged 1
 * check: -n 2 -- serialized: thread-level error RECEIVE
 * runs: -n 2 -- serialized: 2, merged 1
 */
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static MPI_Comm comm[2];
static const char *kind;
static int rank;

static void *meet(void *which)
{
    MPI_Barrier(*(MPI_Comm *)which); /* COLLECTIVE */
    return NULL;
}

static void *take(void *unused)
{
    int value;
    MPI_Message message;
    MPI_Status status;

    if (strcmp(kind, "mprobe") == 0) {
        MPI_Mprobe(1, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
        MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
        return unused;
    }
    if (strcmp(kind, "probe") == 0)
        MPI_Probe(1, 3, MPI_COMM_WORLD, &status);
    MPI_Recv(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* RECEIVE */
    return unused;
}

static void *complete(void *request)
{
    MPI_Wait(request, MPI_STATUS_IGNORE); /* REQUEST */
    return NULL;
}

static void run_both(void *(*function)(void *), void *first, void *second)
{
    pthread_t thread[2];

    pthread_create(&thread[0], NULL, function, first);
    pthread_create(&thread[1], NULL, function, second);
    pthread_join(thread[0], NULL);
    pthread_join(thread[1], NULL);
}

int main(int argc, char **argv)
{
    int provided, value[2];
    MPI_Request request[2];

    kind = argv[1];
    MPI_Init_thread(&argc, &argv, strcmp(kind, "serialized") == 0 ? MPI_THREAD_SERIALIZED : MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm[0]);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm[1]);
    if (strstr(kind, "collective"))
        run_both(meet, &comm[0], &comm[strcmp(kind, "own_collective") == 0]);
    else if (rank == 0 && strstr(kind, "request")) {
        for (int i = 0; i < 2; i++)
            MPI_Irecv(&value[i], 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &request[i]);
        run_both(complete, &request[0], &request[strcmp(kind, "own_request") == 0]);
    } else if (rank == 0)
        run_both(take, NULL, NULL);
    else
        for (int i = 0; i < 2; i++)
            MPI_Send(&i, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
    MPI_Comm_free(&comm[0]);
    MPI_Comm_free(&comm[1]);
    MPI_Finalize();
    return 0;
}
