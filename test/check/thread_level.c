/*
 * A call from a second thread, with less than what that takes; MPI_Is_thread_main
 * may be called by all.
 *
 * check: -n 1 -- wrong: thread-level error HERE
 * check: -n 1: none
 */
#include <mpi.h>
#include <pthread.h>

static int wrong;

static void *second(void *unused)
{
    int flag, rank;
    MPI_Is_thread_main(&flag);
    if (wrong)
        MPI_Comm_rank(MPI_COMM_WORLD, &rank); /* HERE */
    return unused;
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t thread;
    wrong = argc > 1;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    pthread_create(&thread, 0, second, 0);
    pthread_join(thread, 0);
    MPI_Finalize();
    return 0;
}
