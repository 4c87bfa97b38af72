/*
 * A thread looks again and again, under a lock of the program, whether another one has received something.  Which of the two has the lock first is a choice,
 * each time: if the one that looks were always tried first, no run would end.
 *
 * check: -n 2 --mix-bound=2 --time=60: incomplete
 * runs: -n 2 --mix-bound=2 --time=60: merged 1
 */
#include <mpi.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *receiver(void *value)
{
    MPI_Recv(value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static int is_done(void)
{
    pthread_mutex_lock(&lock);
    int now = done;
    pthread_mutex_unlock(&lock);
    return now;
}

int main(int argc, char **argv)
{
    int level, rank, value = 1;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&thread, NULL, receiver, &value);
        while (!is_done())
            ;
        pthread_join(thread, NULL);
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
