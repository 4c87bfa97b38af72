/*
 * Threads that send at the same time: in which order is not the search's to decide, so the rank is refused as soon as it
 * communicates.  Nothing else is told: in the order that was seen, rank 0 would seem to stand in a send that the other
 * thread does not wait for.
 *
 * check: -n 2: unsupported-call warning REFUSED
 * runs: -n 2: 1, merged 1
 * check: -n 2 -- alone: none
 * runs: -n 2 -- alone: 1, merged 1
 */
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

static void *other_thread(void *unused)
{
    int v = 1;
    MPI_Send(&v, 1, MPI_INT, 1, 5, MPI_COMM_WORLD); /* REFUSED */
    return unused;
}

int main(int argc, char **argv)
{
    int rank, provided, v = 0;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        if (argc == 1) {
            pthread_create(&thread, NULL, other_thread, NULL);
            usleep(50000);
        }
        MPI_Send(&v, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        if (argc == 1)
            pthread_join(thread, NULL);
        else
            other_thread(NULL);
    } else {
        MPI_Recv(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&v, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
