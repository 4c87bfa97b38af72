/*
 * Deadlocks of threads through mutexes and MPI calls.  One waits for a message with a mutex held that the sender wants first; two
 * take two mutexes in different orders, which no message shows.  The right ones let go of the mutex, and take both in one order.
 *
 * check: -n 2 -- held: deadlock error HELD
 * runs: -n 2 -- held: 3, merged 2
 * check: -n 2 -- free: none
 * runs: -n 2 -- free: 4, merged 1
 * check: -n 2 -- crossed: deadlock error BARRIER
 * runs: -n 2 -- crossed: 4, merged 3
 * check: -n 2 -- nested: none
 * runs: -n 2 -- nested: 2, merged 1
 */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;

static void *wait_for_message(void *held)
{
    int value;

    pthread_mutex_lock(&one);
    if (!held)
        pthread_mutex_unlock(&one);
    MPI_Recv(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HELD */
    if (held)
        pthread_mutex_unlock(&one);
    return NULL;
}

static void *send_message(void *held)
{
    int value = 1;
    MPI_Request request;

    pthread_mutex_lock(&one);
    MPI_Isend(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &request);
    pthread_mutex_unlock(&one);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return held;
}

static void lock_both(pthread_mutex_t *first, pthread_mutex_t *second)
{
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *lock_in_order(void *arg)
{
    lock_both(&one, &other);
    return arg;
}

static void *lock_crossed(void *arg)
{
    lock_both(&other, &one);
    return arg;
}

static void run_both(void *(*first)(void *), void *(*second)(void *), void *arg)
{
    pthread_t thread[2];

    pthread_create(&thread[0], NULL, first, arg);
    pthread_create(&thread[1], NULL, second, arg);
    pthread_join(thread[0], NULL);
    pthread_join(thread[1], NULL);
}

int main(int argc, char **argv)
{
    int rank, provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && (strcmp(argv[1], "held") == 0 || strcmp(argv[1], "free") == 0))
        run_both(wait_for_message, send_message, strcmp(argv[1], "held") == 0 ? argv : NULL);
    else if (rank == 0)
        run_both(lock_in_order, strcmp(argv[1], "crossed") == 0 ? lock_crossed : lock_in_order, NULL);
    MPI_Barrier(MPI_COMM_WORLD); /* BARRIER */
    MPI_Finalize();
    return 0;
}
