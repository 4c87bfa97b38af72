/*
 * Two threads of a rank use one buffer at the same time.  Both receive into it; one sends from it what the other receives into, before or after that is
 * started; one stores into what the other sends or receives.  The right ones have a buffer each, or hold a mutex around the call; and
 * both may send from one buffer.  MPI_Sendrecv_replace has one buffer for both of its parts.
 *
 * check: -n 2 -- receive: buffer-race error RECEIVE
 * runs: -n 2 -- receive: 3, merged 1
 * check: -n 2 -- own_receive: none
 * runs: -n 2 -- own_receive: 2, merged 1
 * check: -n 2 -- locked_receive: none
 * runs: -n 2 -- locked_receive: 2, merged 1
 * check: -n 2 -- send_first: buffer-race error SEND
 * runs: -n 2 -- send_first: 2, merged 1
 * check: -n 2 -- receive_first: buffer-race error SEND
 * runs: -n 2 -- receive_first: 2, merged 1
 * check: -n 2 -- own_send: none
 * runs: -n 2 -- own_send: 2, merged 1
 * check: -n 2 -- both_send: none
 * runs: -n 2 -- both_send: 1, merged 1
 * check: -n 2 -- store: buffer-race error SYNCHRONOUS
 * runs: -n 2 -- store: 2, merged 2
 * check: -n 2 -- own_store: none
 * runs: -n 2 -- own_store: 2, merged 1
 * check: -n 2 -- started: buffer-race error STARTED
 * runs: -n 2 -- started: 2, merged 1
 * check: -n 2 -- replace: none
 * runs: -n 2 -- replace: 2, merged 1
 */
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

static int memory[2] = {1, 2};
static const char *kind;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* That of the other thread, unless each has one. */
static int *buffer_of(int thread)
{
    return &memory[strncmp(kind, "own", 3) == 0 ? thread : 0];
}

static void *receive(void *arg)
{
    int thread = *(int *)arg, tag = strstr(kind, "receive") && !strstr(kind, "first") ? 3 : 3 + thread;
    bool locked = strncmp(kind, "locked", 6) == 0;

    if (locked)
        pthread_mutex_lock(&mutex);
    MPI_Recv(buffer_of(thread), 1, MPI_INT, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* RECEIVE */
    if (locked)
        pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *send(void *arg)
{
    int thread = *(int *)arg;

    MPI_Send(buffer_of(thread), 1, MPI_INT, 1, 3 + thread, MPI_COMM_WORLD); /* SEND */
    return NULL;
}

static void *send_synchronously(void *arg)
{
    int thread = *(int *)arg;

    MPI_Ssend(buffer_of(thread), 1, MPI_INT, 1, 3 + thread, MPI_COMM_WORLD); /* SYNCHRONOUS */
    return NULL;
}

static void *store(void *arg)
{
    int thread = *(int *)arg;

    (*buffer_of(thread))++;
    MPI_Send(&thread, 1, MPI_INT, 1, 3 + thread, MPI_COMM_WORLD);
    return NULL;
}

static void *start(void *arg)
{
    int thread = *(int *)arg;
    MPI_Request request;

    MPI_Isend(buffer_of(thread), 1, MPI_INT, 1, 3 + thread, MPI_COMM_WORLD, &request); /* STARTED */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return NULL;
}

static void *exchange(void *arg)
{
    int thread = *(int *)arg;

    MPI_Sendrecv_replace(&memory[thread], 1, MPI_INT, 1, 3 + thread, 1, 3 + thread, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return NULL;
}

/* What the threads of rank 0 do, and with what rank 1 answers each: 'r' receives, 's' sends, 'b' both. */
static const struct exchange {
    const char *kind;
    void *(*thread[2])(void *);
    char answer[3];
} exchanges[] = {
    {"receive", {receive, receive}, "ss"},       {"own_receive", {receive, receive}, "ss"},
    {"locked_receive", {receive, receive}, "ss"}, {"send_first", {send, receive}, "rs"},
    {"receive_first", {receive, send}, "sr"},    {"own_send", {send, receive}, "rs"},
    {"both_send", {send, send}, "rr"},           {"store", {send_synchronously, store}, "rr"},
    {"own_store", {send_synchronously, store}, "rr"}, {"started", {start, receive}, "rs"},
    {"replace", {exchange, exchange}, "bb"},
};

static void run_both(void *(*const function[2])(void *))
{
    static int number[2] = {0, 1};
    pthread_t thread[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, function[i], &number[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
}

static void answer(const char *how)
{
    bool one_tag = strstr(kind, "receive") && !strstr(kind, "first");
    int value = 5;

    for (int i = 0; i < 2; i++) {
        int tag = one_tag ? 3 : 3 + i;
        if (how[i] != 's')
            MPI_Recv(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (how[i] != 'r')
            MPI_Send(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int rank, provided;
    const struct exchange *it = exchanges;

    kind = argv[1];
    while (strcmp(it->kind, kind) != 0)
        it++;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        run_both(it->thread);
    else
        answer(it->answer);
    MPI_Finalize();
    return 0;
}
