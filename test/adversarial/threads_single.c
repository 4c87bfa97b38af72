/*
 * Threads in a program that has asked for MPI_THREAD_SINGLE: one that is there when MPI_Init is called, one that
 * is started later.  They call no MPI, but MPI was told that there are none.
 *
 * check: -n 1 -- before: thread-level note INIT
 * runs: -n 1 -- before: 1, merged 1
 * check: -n 1 -- after: thread-level note START
 * runs: -n 1 -- after: 1, merged 1
 * check: -n 1 -- over: none
 * runs: -n 1 -- over: 1, merged 1
 * check: -n 1 -- none: none
 * runs: -n 1 -- none: 1, merged 1
 * check: -n 1 -- funneled: none
 * runs: -n 1 -- funneled: 1, merged 1
 */
#include <mpi.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;

static void *wait_for_main(void *unused)
{
    pthread_mutex_lock(&held);
    pthread_mutex_unlock(&held);
    return unused;
}

int main(int argc, char **argv)
{
    int rank, provided;
    pthread_t thread;
    const char *when = argv[1];

    pthread_mutex_lock(&held);
    if (!strcmp(when, "before"))
        pthread_create(&thread, NULL, wait_for_main, NULL);
    if (!strcmp(when, "over")) {
        pthread_mutex_unlock(&held);
        pthread_create(&thread, NULL, wait_for_main, NULL);
        pthread_join(thread, NULL);
        pthread_mutex_lock(&held);
    }
    if (!strcmp(when, "funneled"))
        MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    else
        MPI_Init(&argc, &argv); /* INIT */
    if (!strcmp(when, "after") || !strcmp(when, "funneled"))
        pthread_create(&thread, NULL, wait_for_main, NULL); /* START */
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pthread_mutex_unlock(&held);
    if (strcmp(when, "none") && strcmp(when, "over"))
        pthread_join(thread, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
