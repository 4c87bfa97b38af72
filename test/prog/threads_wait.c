/*
 * Threads that wait go on when what they wait for comes, from another rank or from another thread of theirs that has computed meanwhile; and
 * they do not compute themselves.  In fault_thread_deadlock.c they wait for ever.
 *
 * run: -n 2
 * libs: -lpthread
 * compare: none
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static volatile unsigned sum;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int rank;

static double cpu_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Then it sends to the other thread of its rank, which waits with the mutex held, and to the other rank. */
static void *compute_and_send(void *unused)
{
    int value = 7;

    while (cpu_seconds() < 0.5)
        sum++;
    MPI_Send(&value, 1, MPI_INT, rank, 1, MPI_COMM_WORLD);
    MPI_Send(&value, 1, MPI_INT, 1 - rank, 2, MPI_COMM_WORLD);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(int argc, char **argv)
{
    int provided, value = 0, other = 0;
    double begin;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, compute_and_send, NULL);
    begin = cpu_seconds();
    MPI_Probe(rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&value, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&other, 1, MPI_INT, 1 - rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (cpu_seconds() - begin > 0.25)
        printf("rank %d has computed while it waited\n", rank);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return value != 7 || other != 7 || cpu_seconds() - begin > 0.25;
}
