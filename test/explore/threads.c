/*
 * Copies of a rank have none of the threads that MPI_Init may have started: in a copy,
 * another one is the program's, which takes turns with the main one.  With an argument, the program
 * has one before MPI_Init, which never communicates; but then a second one that does is too many.
 *
 * explore: -n 3 infinite: runs 2 clean 2
 * explore: -n 3 infinite -- early: runs 2 refused 2
 */
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

static void *idle(void *unused)
{
    pause();
    return unused;
}

static void *meet(void *comm)
{
    MPI_Barrier(*(MPI_Comm *)comm);
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, value, provided;
    pthread_t thread;
    MPI_Comm comm;

    if (argc > 1)
        pthread_create(&thread, NULL, idle, NULL);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (rank > 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < 2; i++)
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    pthread_create(&thread, NULL, meet, &comm);
    meet(&(MPI_Comm){MPI_COMM_WORLD});
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
