/*
 * While one thread of rank 0 waits in a barrier, another one calls a barrier on the same communicator.  In threads.c
 * each has a communicator of its own.
 *
 * run: -n 2
 * libs: -lpthread
 * exit: 1
 * compare: none
 * expect: thread-collective
 * expect: MPI_Barrier "another thread"
 * expect: rank 0 MPI_Barrier at HERE
 */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static _Atomic int begun;

static void wait_for_call(int call)
{
    while (begun < call)
        usleep(1000);
    usleep(300 * 1000);
}

static void *meet(void *unused)
{
    begun = 1;
    MPI_Barrier(MPI_COMM_WORLD);
    return unused;
}

static void *let_go(void *unused)
{
    int go = 1;

    wait_for_call(2);
    MPI_Send(&go, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    return unused;
}

int main(int argc, char **argv)
{
    int rank, provided, go = 0;
    pthread_t first, last;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&first, NULL, meet, NULL);
        pthread_create(&last, NULL, let_go, NULL);
        wait_for_call(1);
        begun = 2;
        MPI_Barrier(MPI_COMM_WORLD); /* HERE */
        pthread_join(first, NULL);
        pthread_join(last, NULL);
    } else {
        MPI_Recv(&go, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
