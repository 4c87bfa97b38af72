/*
 * Threads of rank 0 send on one channel, and the receiver may not like the order: all of them are played, each once, also where a
 * mutex is held around each send.  With tags of their own, or where one thread joins the other before it sends, there is one.
 * A tag of its own is of no use if the receiver takes any.
 *
 * check: -n 2 -- 2: none
 * runs: -n 2 -- 2: 2, merged 1
 * check: -n 2 -- 3: none
 * runs: -n 2 -- 3: 6, merged 1
 * check: -n 2 -- 3 locked: none
 * runs: -n 2 -- 3 locked: 6, merged 1
 * check: -n 2 -- 2 tags: none
 * runs: -n 2 -- 2 tags: 1, merged 1
 * check: -n 2 -- 2 tags any: none
 * runs: -n 2 -- 2 tags any: 2, merged 1
 * check: -n 2 -- 2 joined: none
 * runs: -n 2 -- 2 joined: 1, merged 1
 * check: -n 2 -- 2 picky: abort error PICKY
 * runs: -n 2 -- 2 picky: 2, merged 2
 * assumed: -n 2 -- 2: threads: threads of a rank took turns
 */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static bool locked, tags;

static void *send_own(void *arg)
{
    int number = *(int *)arg;
    sigset_t all;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL); /* as many do: those that the search needs come all the same */
    if (locked)
        pthread_mutex_lock(&mutex);
    MPI_Send(&number, 1, MPI_INT, 1, tags ? number : 9, MPI_COMM_WORLD);
    if (locked)
        pthread_mutex_unlock(&mutex);
    return NULL;
}

static bool is_given(int argc, char **argv, const char *word)
{
    for (int i = 2; i < argc; i++)
        if (strcmp(argv[i], word) == 0)
            return true;
    return false;
}

static void send_all(int n, bool joined)
{
    static int number[] = {0, 1, 2, 3};
    pthread_t thread[4];

    for (int i = 0; i < n; i++) {
        pthread_create(&thread[i], NULL, send_own, &number[i]);
        if (joined)
            pthread_join(thread[i], NULL);
    }
    for (int i = 0; i < n && !joined; i++)
        pthread_join(thread[i], NULL);
}

int main(int argc, char **argv)
{
    int rank, provided, n = atoi(argv[1]), got[4];
    bool any = is_given(argc, argv, "any");

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    locked = is_given(argc, argv, "locked");
    tags = is_given(argc, argv, "tags");
    if (rank == 0)
        send_all(n, is_given(argc, argv, "joined"));
    for (int i = 0; rank == 1 && i < n; i++)
        MPI_Recv(&got[i], 1, MPI_INT, 0, any ? MPI_ANY_TAG : tags ? i : 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1 && is_given(argc, argv, "picky") && got[0] != 0)
        MPI_Abort(MPI_COMM_WORLD, 3); /* PICKY */
    memset(got, 0, sizeof got);
    MPI_Finalize();
    return 0;
}
