/*
 * The main thread polls until another one, which calls no MPI, has done its work: that it
 * finds its memory unchanged does not mean that it polls for ever.
 *
 * explore: -n 2 infinite: runs 1 clean 1
 */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

static atomic_bool ready;

static void *work(void *unused)
{
    usleep(20 * 1000);
    ready = true;
    return unused;
}

int main(int argc, char **argv)
{
    int rank, done = 0, value = 0, provided;
    pthread_t thread;
    MPI_Request request;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Irecv(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
    if (rank == 0) {
        pthread_create(&thread, NULL, work, NULL);
        while (!ready)
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        pthread_join(thread, NULL);
    }
    if (rank == 1)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Send(&rank, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
