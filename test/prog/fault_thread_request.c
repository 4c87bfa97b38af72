/*
 * Two threads of rank 0 wait for one request.
 *
 * run: -n 2
 * libs: -lpthread
 * exit: 1
 * compare: none
 * expect: rank 0 MPI_Wait "waited for by another thread" at HERE
 */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static _Atomic int begun;
static MPI_Request request;

static void *wait_too(void *unused)
{
    MPI_Request same = request;

    begun = 1;
    MPI_Wait(&same, MPI_STATUS_IGNORE);
    return unused;
}

int main(int argc, char **argv)
{
    int rank, provided, v = 0;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&v, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        pthread_create(&thread, NULL, wait_too, NULL);
        while (!begun)
            usleep(1000);
        usleep(300 * 1000);
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* HERE */
        pthread_join(thread, NULL);
    } else {
        MPI_Recv(&v, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
