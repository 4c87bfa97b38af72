/*
 * A thread looks again and again, under a lock of a library, whether another one is done.  It is stopped while it has the lock, mostly, without which the other one
 * cannot go on: no deadlock.  Nor is it one if a thread works for long while another one waits for a lock that it has.
 *
 * library: yes
 * mpi: mpich
 * check: -n 1 -- looks: none
 * runs: -n 1 -- looks: 1, merged 1
 * check: -n 1 -- works: none
 * runs: -n 1 -- works: 1, merged 1
 */
#include <mpi.h>
#include <pthread.h>
#include <string.h>

void meet_worker(int looks);

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

static void work(int times)
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

int main(int argc, char **argv)
{
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    meet_worker(argc > 1 && strcmp(argv[1], "looks") == 0);
    MPI_Finalize();
    return 0;
}

#endif
