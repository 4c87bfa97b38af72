/*
 * A thread looks again and again, under a lock of a library, whether another one is done.  It is stopped while it has the lock, mostly, without which the other one
 * cannot go on: no deadlock.  Nor is it one if a thread works for long while another one waits for a lock that it has; or in MPI, for what comes of that work: then
 * it is not known.
 *
 * library: yes
 * mpi: mpich
 * check: -n 1 -- looks: none
 * runs: -n 1 -- looks: merged 1
 * check: -n 1 -- works: none
 * runs: -n 1 -- works: merged 1
 * check: -n 1 -- sends: incomplete
 * runs: -n 1 -- sends: merged 1
 */
#include <mpi.h>
#include <pthread.h>
#include <string.h>

void meet_worker(int looks);
void work(int times);

#ifdef LIBRARY

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static int down, left;

static void *worker(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    while (!down)
        pthread_cond_wait(&change, &lock);
    left = 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

void work(int times)
{
    for (volatile int i = 0; i < times; i++)
        ;
}

void meet_worker(int looks)
{
    int gone;
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    pthread_mutex_lock(&lock);
    down = 1;
    pthread_cond_broadcast(&change);
    if (!looks) {
        MPI_Barrier(MPI_COMM_WORLD); /* the other one asks for the lock */
        work(1500 * 1000 * 1000);
    }
    pthread_mutex_unlock(&lock);
    do {
        pthread_mutex_lock(&lock);
        gone = left;
        work(100 * 1000);
        pthread_mutex_unlock(&lock);
    } while (!gone);
    pthread_join(thread, NULL);
}

#else

static void *receiver(void *value)
{
    MPI_Recv(value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return NULL;
}

static void send_to_receiver(void)
{
    int value, result = 1;
    pthread_t thread;
    pthread_create(&thread, NULL, receiver, &value);
    MPI_Barrier(MPI_COMM_WORLD); /* the other one asks for a message */
    work(1500 * 1000 * 1000);
    MPI_Send(&result, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    if (argc > 1 && strcmp(argv[1], "sends") == 0)
        send_to_receiver();
    else
        meet_worker(argc > 1 && strcmp(argv[1], "looks") == 0);
    MPI_Finalize();
    return 0;
}

#endif
