/*
 * A shared library starts a thread for itself: that is its own affair.
 *
 * library: yes
 * check: -n 1: none
 * runs: -n 1: 1, merged 1
 */
#ifdef LIBRARY
#include <pthread.h>

static void *nothing(void *unused)
{
    return unused;
}

void library_works(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, nothing, 0);
    pthread_join(thread, 0);
}
#else
#include <mpi.h>

void library_works(void);

int main(int argc, char **argv)
{
    library_works();
    MPI_Init(&argc, &argv);
    library_works();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
#endif
