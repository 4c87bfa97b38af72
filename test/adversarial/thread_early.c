/*
 * A thread is there before MPI_Init, where threads may call MPI: it takes no turns with the others, which the verdict says.
 *
 * check: -n 2: none
 * runs: -n 2: 1, merged 1
 * assumed: -n 2: threads: threads that were there before MPI_Init took no turns
 */
#include <mpi.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *wait_for_the_end(void *arg)
{
    pthread_mutex_lock(&mutex);
    return arg;
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t thread;

    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, wait_for_the_end, NULL);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    MPI_Barrier(MPI_COMM_WORLD);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
