/*
 * Locks of all kinds around what two threads send: readers do not compete with each other, writers do; semaphores, spinning locks, mutexes
 * that inherit priorities and robust ones.  A thread that ends with a robust mutex held, and one that is cancelled, are refused
 * by name, and so is a second thread of a rank that uses a window.
 *
 * check: -n 2 -- readers: none
 * runs: -n 2 -- readers: 1, merged 1
 * check: -n 2 -- writers: none
 * runs: -n 2 -- writers: 2, merged 1
 * check: -n 2 -- semaphore: none
 * runs: -n 2 -- semaphore: 2, merged 1
 * check: -n 2 -- spin: none
 * runs: -n 2 -- spin: 2, merged 1
 * check: -n 2 -- priority: none
 * runs: -n 2 -- priority: 2, merged 1
 * check: -n 2 -- robust: none
 * runs: -n 2 -- robust: 2, merged 1
 * check: -n 2 -- robust_ends: unsupported-call warning SENT
 * runs: -n 2 -- robust_ends: 2, merged 2
 * check: -n 2 -- cancel: unsupported-call warning CANCEL
 * runs: -n 2 -- cancel: 1, merged 1
 * check: -n 2 -- window: unsupported-call warning PUT
 * runs: -n 2 -- window: 1, merged 1
 * check: -n 2 -- one_window: none
 * runs: -n 2 -- one_window: 1, merged 1
 */
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spinlock;
static sem_t semaphore;
static const char *kind;
static MPI_Win window;
static int value[2];

static void make_mutex(void)
{
    pthread_mutexattr_t attributes;

    pthread_mutexattr_init(&attributes);
    if (strcmp(kind, "priority") == 0)
        pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
    if (strncmp(kind, "robust", 6) == 0)
        pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    pthread_spin_init(&spinlock, PTHREAD_PROCESS_PRIVATE);
    sem_init(&semaphore, 0, 1);
}

static void lock(void)
{
    if (strcmp(kind, "readers") == 0)
        pthread_rwlock_rdlock(&rwlock);
    else if (strcmp(kind, "writers") == 0)
        pthread_rwlock_wrlock(&rwlock);
    else if (strcmp(kind, "semaphore") == 0)
        sem_wait(&semaphore);
    else if (strcmp(kind, "spin") == 0)
        pthread_spin_lock(&spinlock);
    else
        pthread_mutex_lock(&mutex);
}

static void unlock(void)
{
    if (strcmp(kind, "readers") == 0 || strcmp(kind, "writers") == 0)
        pthread_rwlock_unlock(&rwlock);
    else if (strcmp(kind, "semaphore") == 0)
        sem_post(&semaphore);
    else if (strcmp(kind, "spin") == 0)
        pthread_spin_unlock(&spinlock);
    else
        pthread_mutex_unlock(&mutex);
}

static void *send_own(void *arg)
{
    int tag = *(int *)arg;

    lock();
    MPI_Send(&tag, 1, MPI_INT, 1, tag, MPI_COMM_WORLD); /* SENT */
    if (strcmp(kind, "robust_ends") != 0)
        unlock();
    return NULL;
}

static void *wait_for_ever(void *arg)
{
    MPI_Recv(arg, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return NULL;
}

static void *put_own(void *arg)
{
    int part = *(int *)arg;

    if (part == 1 && strcmp(kind, "one_window") == 0)
        return NULL;
    MPI_Put(&part, 1, MPI_INT, 1, part, 1, MPI_INT, window);
    MPI_Win_flush(1, window); /* PUT */
    return NULL;
}

static void run_both(void *(*function)(void *))
{
    static int number[2] = {0, 1};
    pthread_t thread[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, function, &number[i]);
    if (strcmp(kind, "cancel") == 0)
        pthread_cancel(thread[0]); /* CANCEL */
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
}

static void use_window(int rank)
{
    MPI_Win_create(value, sizeof value, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, window);
        run_both(put_own);
        MPI_Win_unlock(1, window);
    }
    MPI_Win_free(&window);
}

int main(int argc, char **argv)
{
    int rank, provided, got[2];
    MPI_Request request[2];

    kind = argv[1];
    make_mutex();
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (strstr(kind, "window"))
        use_window(rank);
    else if (rank == 0)
        run_both(strcmp(kind, "cancel") == 0 ? wait_for_ever : send_own);
    else if (strcmp(kind, "cancel") != 0) {
        for (int i = 0; i < 2; i++)
            MPI_Irecv(&got[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &request[i]);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
