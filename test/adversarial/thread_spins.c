/*
 * A thread looks again and again, under a lock of a library, whether another one is done.  It is stopped while it has the lock, mostly, without which the other one
 * cannot go on: no deadlock.  Nor is it one if a thread works for long while another one waits for a lock that it has; or in MPI, for what comes of that work: then
 * it is not known, however many locks it has on the way.  One that does nothing else but look is told from one at work by how often it asks for the lock, not by the clock.
 *
 * library: yes
 * mpi: mpich
 * check: -n 1 -- looks: none
 * runs: -n 1 -- looks: merged 1
 * check: -n 1 -- only looks: none
 * runs: -n 1 -- only looks: merged 1
 * not assumed: -n 1 -- only looks: threads: a thread that ran for a second
 * check: -n 1 -- works: none
 * runs: -n 1 -- works: merged 1
 * check: -n 1 -- sends: incomplete
 * runs: -n 1 -- sends: merged 1
 * check: -n 1 -- locks and sends: incomplete
 * runs: -n 1 -- locks and sends: merged 1
 */
#include <mpi.h>
#include <pthread.h>
#include <string.h>

void meet_worker(int looks, int works);
void work_for_long(void);
void lock_for_long(void);

#ifdef LIBRARY

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

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

/* Two seconds of its own time, on any machine; the C library would tell another time. */
void work_for_long(void)
{
    struct timespec time = {0};
    while (time.tv_sec < 2) {
        work(1000 * 1000);
        syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &time);
    }
}

void lock_for_long(void)
{
    for (int i = 0; i < 300 * 1000 * 1000; i++) {
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
    }
}

void meet_worker(int looks, int works)
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
        work_for_long();
    }
    pthread_mutex_unlock(&lock);
    do {
        pthread_mutex_lock(&lock);
        gone = left;
        if (works)
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

static void send_to_receiver(int locks)
{
    int value, result = 1;
    pthread_t thread;
    pthread_create(&thread, NULL, receiver, &value);
    MPI_Barrier(MPI_COMM_WORLD); /* the other one asks for a message */
    if (locks)
        lock_for_long();
    work_for_long();
    MPI_Send(&result, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    if (argc > 1 && strcmp(argv[argc - 1], "sends") == 0)
        send_to_receiver(argc > 2);
    else
        meet_worker(argc > 1 && strcmp(argv[argc - 1], "looks") == 0, argc == 2);
    MPI_Finalize();
    return 0;
}

#endif
