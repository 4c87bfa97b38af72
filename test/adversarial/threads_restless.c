/*
 * A thread computes while the main one communicates, and never rests.  Whether it is about to call MPI nobody can know, so the
 * verdict says what was assumed.
 *
 * check: -n 2: none
 * runs: -n 2: 1, merged 1
 * assumed: -n 2: threads: a thread that ran for a second while others waited for it was taken to wait for one of them
 */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int over;

static void *compute(void *arg)
{
    while (!over)
        ;
    return arg;
}

int main(int argc, char **argv)
{
    int provided, rank, value;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pthread_create(&thread, NULL, compute, NULL);
    if (rank == 0)
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    over = 1;
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
