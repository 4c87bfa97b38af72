/*
 * Threads mark partitions ready while the main thread waits for all of them.
 *
 * mpi: mpich
 * libs: -pthread
 * run: -n 2
 */
#include <pthread.h>
#include <unistd.h>

#include "check.h"

enum { PARTS = 6 };

static int v[PARTS];
static MPI_Request request;

static void *mark(void *part)
{
    int i = (int)(long)part;

    usleep(1000 * (PARTS - i));
    v[i] = 10 + i;
    MPI_Pready(i, request);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread[PARTS];
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Psend_init(v, PARTS, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        for (long i = 0; i < PARTS; i++)
            pthread_create(&thread[i], NULL, mark, (void *)i);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int i = 0; i < PARTS; i++)
            pthread_join(thread[i], NULL);
    } else {
        MPI_Precv_init(v, 2, PARTS / 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        say_ints("got", v, PARTS);
    }
    MPI_Request_free(&request);
    return finish();
}
