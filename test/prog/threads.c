/*
 * Threads: one that computes while the main thread communicates; then, if the
 * library allows it, two that communicate at once on communicators of their
 * own. Without MPI_THREAD_MULTIPLE they take turns: same output.
 *
 * run: -n 2
 * libs: -lpthread
 */
#include "check.h"

#include <pthread.h>

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static int provided;

static void *compute(void *result)
{
    long sum = 0;

    for (int i = 0; i < 1000000; i++)
        sum += i % 7;
    *(long *)result = sum;
    return NULL;
}

static void *communicate(void *argument)
{
    MPI_Comm comm = *(MPI_Comm *)argument;
    int peer = 1 - rank;
    long *sum = malloc(sizeof *sum);

    *sum = 0;
    if (provided < MPI_THREAD_MULTIPLE)
        pthread_mutex_lock(&turn);
    for (int i = 0; i < 5; i++) {
        int got;
        MPI_Sendrecv(&i, 1, MPI_INT, peer, 0, &got, 1, MPI_INT, peer, 0, comm, MPI_STATUS_IGNORE);
        *sum += got;
    }
    if (provided < MPI_THREAD_MULTIPLE)
        pthread_mutex_unlock(&turn);
    return sum;
}

int main(int argc, char **argv)
{
    MPI_Comm comms[2];
    pthread_t threads[2];
    long result = 0;
    int got;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pthread_create(&threads[0], NULL, compute, &result);
    MPI_Allreduce(&rank, &got, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    pthread_join(threads[0], NULL);
    say("computed %ld, reduced %d", result, got);

    for (int i = 0; i < 2; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, communicate, &comms[i]);
        /* In turns, both ranks must take the same turn. */
        if (provided < MPI_THREAD_MULTIPLE) {
            long *sum;
            pthread_join(threads[i], (void **)&sum);
            say("thread %d: %ld", i, *sum);
        }
    }
    for (int i = 0; i < 2 && provided == MPI_THREAD_MULTIPLE; i++) {
        long *sum;
        pthread_join(threads[i], (void **)&sum);
        say("thread %d: %ld", i, *sum);
    }
    for (int i = 0; i < 2; i++)
        MPI_Comm_free(&comms[i]);
    return finish();
}
