/*
 * A rank with several threads that may all communicate cannot be copied: the search says so, and nothing else, although
 * the other ranks stand in sends and receives when it is refused.
 *
 * check: -n 2: unsupported-call warning REFUSED
 * runs: -n 2: 1, merged 1
 * check: -n 2 -- alone: none
 * runs: -n 2 -- alone: 1, merged 1
 */
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

static volatile int over;

static void *idle(void *unused)
{
    while (!over)
        usleep(1000);
    return unused;
}

int main(int argc, char **argv)
{
    int rank, provided, v = 0, w = 0;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc == 1 && rank == 0)
        pthread_create(&thread, NULL, idle, NULL);
    if (rank == 1)
        MPI_Send(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD); /* REFUSED */
    if (rank == 0)
        MPI_Recv(&w, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    over = 1;
    if (argc == 1 && rank == 0)
        pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
