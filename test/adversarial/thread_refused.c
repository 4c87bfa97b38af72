/*
 * Threads that communicate take turns if MPI_Init_thread was there before them: a message that only the other thread sends comes, though
 * that one comes late.  One that was there before cannot be made to; if it communicates besides the main one, it is refused, in
 * its own call.  Threads that only compute, or only one of which communicates, are no matter.
 *
 * check: -n 2: none
 * runs: -n 2: 1, merged 1
 * check: -n 2 -- asleep: none
 * runs: -n 2 -- asleep: 2, merged 1
 * check: -n 2 -- early: unsupported-call warning REFUSED
 * runs: -n 2 -- early: 1, merged 1
 * check: -n 2 -- alone: none
 * runs: -n 2 -- alone: 1, merged 1
 * check: -n 2 -- other: none
 * runs: -n 2 -- other: 1, merged 1
 */
#include <mpi.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile unsigned sum;

static void compute(void)
{
    for (unsigned i = 0; i < 40 * 1000 * 1000; i++)
        sum += i;
}

static void *nothing(void *unused)
{
    compute();
    return unused;
}

static void *send_one(void *unused)
{
    int v = 1;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    MPI_Send(&v, 1, MPI_INT, 1, 5, MPI_COMM_WORLD); /* REFUSED */
    return unused;
}

static void *send_late(void *unused)
{
    compute();
    return send_one(unused);
}

int main(int argc, char **argv)
{
    int rank, provided, v = 0;
    pthread_t thread;
    const char *how = argc > 1 ? argv[1] : "";

    if (strcmp(how, "early") == 0) {
        pthread_mutex_lock(&mutex);
        pthread_create(&thread, NULL, send_one, NULL);
    }
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && strcmp(how, "other") == 0) { /* the other one is the one that communicates */
        pthread_create(&thread, NULL, send_one, NULL);
        pthread_join(thread, NULL);
    } else if (rank == 0 && strcmp(how, "alone") == 0) {
        pthread_create(&thread, NULL, nothing, NULL);
        send_one(NULL);
        pthread_join(thread, NULL);
    } else if (rank == 0 && strcmp(how, "asleep") == 0) {
        pthread_create(&thread, NULL, send_late, NULL);
        MPI_Recv(&v, 1, MPI_INT, 1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        pthread_join(thread, NULL);
    } else if (strcmp(how, "early") == 0) {
        MPI_Sendrecv_replace(&v, 1, MPI_INT, 1 - rank, 4, 1 - rank, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        pthread_mutex_unlock(&mutex);
        MPI_Sendrecv_replace(&v, 1, MPI_INT, 1 - rank, 4, 1 - rank, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        pthread_join(thread, NULL);
    } else if (rank == 0) {
        pthread_mutex_lock(&mutex);
        pthread_create(&thread, NULL, send_one, NULL);
        MPI_Send(&v, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
        pthread_mutex_unlock(&mutex);
        pthread_join(thread, NULL);
    } else {
        if (!*how)
            MPI_Recv(&v, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&v, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (strcmp(how, "asleep") == 0)
            MPI_Send(&v, 1, MPI_INT, 0, 6, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
