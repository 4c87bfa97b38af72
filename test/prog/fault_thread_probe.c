/*
 * A thread sees a message by MPI_Probe and is overtaken: before it receives it, the other one does.  With MPI_Mprobe that cannot be
 * (mprobe.c).  The second message lets the first thread go on, so that the run ends.
 *
 * run: -n 2
 * libs: -lpthread
 * exit: 1
 * compare: none
 * expect: thread-probe
 * expect: rank 0 MPI_Recv at HERE
 */
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t seen, taken;

static void *probe(void *unused)
{
    int value;

    MPI_Probe(1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sem_post(&seen);
    sem_wait(&taken);
    MPI_Recv(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return unused;
}

int main(int argc, char **argv)
{
    int rank, provided, value = 0;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    sem_init(&seen, 0, 0);
    sem_init(&taken, 0, 0);
    if (rank == 0) {
        pthread_create(&thread, NULL, probe, NULL);
        sem_wait(&seen);
        MPI_Recv(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
        sem_post(&taken);
        pthread_join(thread, NULL);
    } else
        for (int i = 0; i < 2; i++)
            MPI_Send(&i, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
