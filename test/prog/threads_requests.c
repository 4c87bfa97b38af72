/*
 * Two threads of each rank wait for requests of their own at the same time, and so do they afterwards for each other's: that
 * is no fault.
 *
 * run: -n 2
 * libs: -lpthread
 */
#include "check.h"

#include <pthread.h>

static MPI_Request request[2];
static int got[2];
static pthread_barrier_t both;

static void *wait_in_turn(void *number)
{
    int own = (int)(long)number;

    MPI_Wait(&request[own], MPI_STATUS_IGNORE);
    pthread_barrier_wait(&both);
    MPI_Irecv(&got[own], 1, MPI_INT, 1 - rank, 2 + own, MPI_COMM_WORLD, &request[own]);
    MPI_Send(&rank, 1, MPI_INT, 1 - rank, 2 + own, MPI_COMM_WORLD);
    pthread_barrier_wait(&both);
    MPI_Wait(&request[1 - own], MPI_STATUS_IGNORE);
    return NULL;
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pthread_barrier_init(&both, NULL, 2);
    for (int i = 0; i < 2; i++)
        MPI_Irecv(&got[i], 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, &request[i]);
    for (int i = 0; i < 2; i++)
        MPI_Send(&rank, 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD);
    pthread_create(&thread, NULL, wait_in_turn, (void *)1L);
    wait_in_turn((void *)0L);
    pthread_join(thread, NULL);
    printf("rank %d got %d and %d\n", rank, got[0], got[1]);
    MPI_Finalize();
    return 0;
}
