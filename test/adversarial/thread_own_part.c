/*
 * While another thread is there, a rank calls a collective of which it has its own result at once: the root of a scatter, the first of a scan, a
 * group of one.  That the result is there before the call is over is nobody's mistake.  In `store` the other thread stores into it
 * meanwhile, which is one.
 *
 * check: -n 2 -- scatter: none
 * runs: -n 2 -- scatter: 2, merged 1
 * check: -n 2 -- scan: none
 * runs: -n 2 -- scan: 2, merged 1
 * check: -n 2 -- alone: none
 * runs: -n 2 -- alone: 2, merged 1
 * check: -n 2 -- store: buffer-race error SCATTER
 * runs: -n 2 -- store: 2, merged 1
 */
#include <mpi.h>
#include <pthread.h>
#include <string.h>

static const char *kind;
static int result;

static void *wait_for_word(void *unused)
{
    int word;

    (void)unused;
    MPI_Recv(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (strcmp(kind, "store") == 0)
        result = word;
    MPI_Send(&word, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    return NULL;
}

static void collect(void)
{
    int all[2] = {5, 6}, own = 7;

    if (strcmp(kind, "scan") == 0)
        MPI_Scan(&own, &result, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    else if (strcmp(kind, "alone") == 0)
        MPI_Allreduce(&own, &result, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    else
        MPI_Scatter(all, 1, MPI_INT, &result, 1, MPI_INT, 0, MPI_COMM_WORLD); /* SCATTER */
}

int main(int argc, char **argv)
{
    int rank, provided, word = 3;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    kind = argv[1];
    if (rank == 0) {
        pthread_create(&thread, NULL, wait_for_word, NULL);
        collect();
        pthread_join(thread, NULL);
    } else {
        MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(&word, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        collect();
    }
    MPI_Finalize();
    return 0;
}
