/*
 * A second thread that communicates: in which order is not the search's to decide, so it is refused, in its own call.
 * Nothing else is told: not that rank 0 waits for a message that only the other thread sends, though that one comes late
 * and rank 0 sleeps in its call before.  Threads that only compute, or only one of which communicates, are no matter.
 *
 * check: -n 2: unsupported-call warning REFUSED
 * runs: -n 2: 1, merged 1
 * check: -n 2 -- asleep: unsupported-call warning REFUSED
 * runs: -n 2 -- asleep: 1, merged 1
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
