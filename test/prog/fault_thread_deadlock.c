/*
 * Deadlocks of threads under tourney run are told as what they are, and at once: all threads wait in calls; one holds a mutex that the
 * other, which would send, waits for; one is in a probe; the rank joins a thread that waits.  In threads_wait.c they go on.
 *
 * run: -n 2 calls
 * run: -n 2 mutex
 * run: -n 2 probe
 * run: -n 2 join
 * libs: -lpthread
 * exit: 1
 * compare: none
 * expect: "deadlock: 2 of 2 ranks can never continue"
 * expect: "of which none can go on"
 * expect: "thread 1"
 */
#include <mpi.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const char *how;
static int rank;

static void receive(int tag)
{
    int value;

    MPI_Recv(&value, 1, MPI_INT, 1 - rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void *be_second(void *unused)
{
    int value = 1;

    if (strcmp(how, "mutex") == 0) {
        pthread_mutex_lock(&mutex);
        MPI_Send(&value, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD);
        pthread_mutex_unlock(&mutex);
    } else if (strcmp(how, "probe") == 0)
        MPI_Probe(1 - rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        receive(2);
    return unused;
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t thread;

    how = argv[1];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, be_second, NULL);
    if (strcmp(how, "join") != 0)
        receive(1);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
