/*
 * Orders of locks that are easily missed.  One thread takes the lock when the other has long ended; an attempt to lock fails because it comes
 * between a lock and its release; who waits for a condition takes its mutex again after others have had it; a signal reaches another one
 * of two that wait.  Each has a twin in which that cannot be, since the threads are joined, or there is nobody else.
 *
 * check: -n 2 -- late: abort error NOTED
 * runs: -n 2 -- late: 3, merged 2
 * check: -n 2 -- joined: none
 * runs: -n 2 -- joined: 1, merged 1
 * check: -n 2 -- attempt: abort error NOTED
 * runs: -n 2 -- attempt: 3, merged 2
 * check: -n 2 -- attempt_joined: none
 * runs: -n 2 -- attempt_joined: 1, merged 1
 * check: -n 2 -- condition: abort error NOTED
 * runs: -n 2 -- condition: 4, merged 3
 * check: -n 2 -- condition_once: none
 * runs: -n 2 -- condition_once: 2, merged 1
 * check: -n 2 -- signal: abort error NOTED
 * runs: -n 2 -- signal: merged 6
 */
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int first, tokens;
static const char *how;

/* It must not come first. */
static void note(bool unwanted)
{
    if (unwanted)
        MPI_Abort(MPI_COMM_WORLD, 3); /* NOTED */
}

static void lock_once(int number)
{
    pthread_mutex_lock(&mutex);
    first = first ? first : number;
    pthread_mutex_unlock(&mutex);
}

static void *lock_as_second(void *arg)
{
    lock_once(2);
    return arg;
}

/* The other one has ended, and not been joined. */
static void lock_late(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    lock_once(1);
}

static void *attempt(void *arg)
{
    bool locked = pthread_mutex_trylock(&mutex) == 0;

    if (locked)
        pthread_mutex_unlock(&mutex);
    note(!locked);
    return arg;
}

static void *bring_token(void *arg)
{
    pthread_mutex_lock(&mutex);
    tokens++;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    if (strcmp(how, "condition") == 0)
        lock_once(2);
    return arg;
}

static int wait_for_token(int number)
{
    int before;

    pthread_mutex_lock(&mutex);
    while (!tokens)
        pthread_cond_wait(&condition, &mutex);
    before = first;
    first = number;
    tokens--;
    pthread_mutex_unlock(&mutex);
    return before;
}

static void *wait_as_second(void *arg)
{
    note(wait_for_token(2) == 0 && strcmp(how, "signal") == 0);
    return arg;
}

static void use_threads(void)
{
    pthread_t thread[2];

    if (strcmp(how, "late") == 0 || strcmp(how, "joined") == 0) {
        pthread_create(&thread[0], NULL, lock_as_second, NULL);
        if (strcmp(how, "joined") == 0)
            pthread_join(thread[0], NULL);
        lock_late();
        if (strcmp(how, "late") == 0)
            pthread_join(thread[0], NULL);
        note(first == 1);
    } else if (strncmp(how, "attempt", 7) == 0) {
        pthread_create(&thread[0], NULL, attempt, NULL);
        if (strcmp(how, "attempt_joined") == 0)
            pthread_join(thread[0], NULL);
        lock_once(1);
        if (strcmp(how, "attempt") == 0)
            pthread_join(thread[0], NULL);
    } else if (strncmp(how, "condition", 9) == 0) {
        pthread_create(&thread[0], NULL, bring_token, NULL);
        note(wait_for_token(1) == 2);
        pthread_join(thread[0], NULL);
    } else {
        pthread_create(&thread[0], NULL, wait_as_second, NULL);
        pthread_create(&thread[1], NULL, bring_token, NULL);
        wait_for_token(1);
        bring_token(NULL);
        pthread_join(thread[0], NULL);
        pthread_join(thread[1], NULL);
    }
}

int main(int argc, char **argv)
{
    int rank, provided;

    how = argv[1];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        use_threads();
    else if (strcmp(how, "late") == 0 || strcmp(how, "joined") == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    first = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
