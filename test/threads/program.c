/*
 * program -- performs a script of messages, collectives and locks in the threads of each rank, and writes down what every thread was told.
 *
 * The script is an argument: the steps of the threads of rank 0, with `;` between, then, behind `/`, those of rank 1; meaning.py has the
 * words.  The first thread of a rank is the one that has called MPI_Init_thread.  What all threads were told, in their order, is an
 * outcome, a line in FILE.
 *
 * usage: mpiexec -n RANKS program FILE SCRIPT
 */
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TOLD = 16, THREADS = 3, OBJECTS = 3, RANKS = 3, PENDING = 8 };

struct actor {
    int number, told[TOLD], tolds, steps, value[PENDING], pending, done;
    char *script;
    MPI_Request request[PENDING]; /* waited for in the order in which they were made */
};

static int me;
static MPI_Comm comm[OBJECTS];
static pthread_mutex_t mutex[OBJECTS];
static pthread_cond_t condition[OBJECTS];
static pthread_rwlock_t rwlock[OBJECTS];
static pthread_barrier_t barrier;
static sem_t semaphore[OBJECTS];
static int counter[OBJECTS], seen_counter[OBJECTS], tokens[OBJECTS];
static struct actor actors[THREADS];

static void tell(struct actor *a, int value)
{
    if (a->tolds < TOLD)
        a->told[a->tolds++] = value;
}

static void fail(const char *step)
{
    fprintf(stderr, "program: there is no step %s\n", step);
    MPI_Abort(MPI_COMM_WORLD, 2);
}

static int digit(const char *at, int any)
{
    if (*at == '*')
        return any;
    if (*at < '0' || *at > '9')
        fail(at);
    return *at - '0';
}

/* What a thread sends says who it is, and with which step. */
static int own_value(const struct actor *a)
{
    return 100 * me + 10 * a->number + a->steps;
}

static void send_message(struct actor *a, const char *step)
{
    int value = own_value(a), to = digit(step + 1, 0), tag = digit(step + 3, 0);

    if (step[0] == 's')
        MPI_Send(&value, 1, MPI_INT, to, tag, MPI_COMM_WORLD);
    else if (step[0] == 'S')
        MPI_Ssend(&value, 1, MPI_INT, to, tag, MPI_COMM_WORLD);
    else {
        a->value[a->pending] = value;
        MPI_Isend(&a->value[a->pending], 1, MPI_INT, to, tag, MPI_COMM_WORLD, &a->request[a->pending]);
        a->pending++;
    }
}

static void receive_message(struct actor *a, const char *step)
{
    int value = -1, from = digit(step + 1, MPI_ANY_SOURCE), tag = digit(step + 3, MPI_ANY_TAG);
    MPI_Message message;
    MPI_Status status;

    switch (step[0]) {
    case 'v':
        MPI_Recv(&value, 1, MPI_INT, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        tell(a, value);
        break;
    case 'j':
        MPI_Irecv(&a->value[a->pending], 1, MPI_INT, from, tag, MPI_COMM_WORLD, &a->request[a->pending]);
        a->pending++;
        break;
    case 'p':
        MPI_Probe(from, tag, MPI_COMM_WORLD, &status);
        tell(a, 10 * status.MPI_SOURCE + status.MPI_TAG);
        break;
    case 'm':
        MPI_Mprobe(from, tag, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
        tell(a, value);
        break;
    }
}

static void wait_for_oldest(struct actor *a)
{
    MPI_Wait(&a->request[a->done], MPI_STATUS_IGNORE);
    tell(a, a->value[a->done++]);
}

static void meet_others(struct actor *a, const char *step)
{
    int value = own_value(a);

    if (step[0] == 'b')
        MPI_Barrier(comm[digit(step + 1, 0)]);
    else if (step[0] == 'g') {
        MPI_Bcast(&value, 1, MPI_INT, 0, comm[digit(step + 1, 0)]);
        tell(a, value);
    } else
        pthread_barrier_wait(&barrier);
}

static void use_condition(struct actor *a, int which, int wait)
{
    pthread_mutex_lock(&mutex[which]);
    while (wait && !tokens[which])
        pthread_cond_wait(&condition[which], &mutex[which]);
    tokens[which] += wait ? -1 : 1;
    if (wait)
        tell(a, counter[which]++);
    else
        pthread_cond_signal(&condition[which]);
    pthread_mutex_unlock(&mutex[which]);
}

static void use_lock(struct actor *a, const char *step)
{
    int which = digit(step + 1, 0);

    switch (step[0]) {
    case 'l':
        pthread_mutex_lock(&mutex[which]);
        tell(a, counter[which]++);
        break;
    case 'u':
        pthread_mutex_unlock(&mutex[which]);
        break;
    case 't':
        if (pthread_mutex_trylock(&mutex[which]) == 0) {
            tell(a, counter[which]++);
            pthread_mutex_unlock(&mutex[which]);
        } else
            tell(a, -1);
        break;
    case 'c':
    case 'n':
        use_condition(a, which, step[0] == 'c');
        break;
    case 'd':
        sem_wait(&semaphore[which]);
        break;
    case 'e':
        sem_post(&semaphore[which]);
        break;
    case 'R':
        pthread_rwlock_rdlock(&rwlock[which]);
        tell(a, seen_counter[which]);
        break;
    case 'W':
        pthread_rwlock_wrlock(&rwlock[which]);
        tell(a, seen_counter[which]++);
        break;
    case 'U':
        pthread_rwlock_unlock(&rwlock[which]);
        break;
    }
}

static void perform(struct actor *a, const char *step)
{
    if (strchr("sSi", step[0]))
        send_message(a, step);
    else if (strchr("vjpm", step[0]))
        receive_message(a, step);
    else if (step[0] == 'w')
        wait_for_oldest(a);
    else if (strchr("bgT", step[0]))
        meet_others(a, step);
    else if (strchr("lutcndeRWU", step[0]))
        use_lock(a, step);
    else
        fail(step);
    a->steps++;
}

static void *perform_all(void *arg)
{
    struct actor *a = arg;
    char *in = NULL;

    for (char *step = strtok_r(a->script, " ", &in); step; step = strtok_r(NULL, " ", &in))
        perform(a, step);
    return NULL;
}

/* The scripts of the threads of this rank; how many there are. */
static int find_scripts(char *script)
{
    char *own = strsep(&script, "/"), *part;
    int n = 0;

    for (int i = 0; i < me && own; i++)
        own = strsep(&script, "/");
    while ((part = strsep(&own, ";")) && n < THREADS) {
        actors[n].number = n;
        actors[n++].script = part;
    }
    return n;
}

static void run_threads(int n)
{
    pthread_t thread[THREADS];

    pthread_barrier_init(&barrier, NULL, (unsigned)n);
    for (int i = 1; i < n; i++)
        pthread_create(&thread[i], NULL, perform_all, &actors[i]);
    perform_all(&actors[0]);
    for (int i = 1; i < n; i++)
        pthread_join(thread[i], NULL);
}

static void make_objects(void)
{
    for (int i = 0; i < OBJECTS; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm[i]);
        pthread_mutex_init(&mutex[i], NULL);
        pthread_cond_init(&condition[i], NULL);
        pthread_rwlock_init(&rwlock[i], NULL);
        sem_init(&semaphore[i], 0, 0);
    }
}

static void write_outcome(const char *name, int n)
{
    static int own[THREADS][TOLD + 1], all[RANKS][THREADS][TOLD + 1];
    int used = 0, file, ranks;
    char line[1024];

    for (int i = 0; i < n; i++) {
        own[i][0] = actors[i].tolds;
        memcpy(&own[i][1], actors[i].told, sizeof actors[i].told);
    }
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Gather(own, sizeof own / sizeof(int), MPI_INT, all, sizeof own / sizeof(int), MPI_INT, 0, MPI_COMM_WORLD);
    if (me)
        return;
    for (int r = 0; r < ranks; r++)
        for (int t = 0; t < THREADS; t++) {
            used += snprintf(line + used, sizeof line - (size_t)used, "%s", t ? ";" : r ? "/" : "");
            for (int i = 0; i < all[r][t][0]; i++)
                used += snprintf(line + used, sizeof line - (size_t)used, "%s%d", i ? " " : "", all[r][t][1 + i]);
        }
    line[used++] = '\n';
    file = open(name, O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (write(file, line, (size_t)used) != used)
        MPI_Abort(MPI_COMM_WORLD, 2);
    close(file);
}

int main(int argc, char **argv)
{
    int provided, n;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (argc != 3)
        fail("at all");
    make_objects();
    n = find_scripts(argv[2]);
    run_threads(n);
    for (int i = 0; i < OBJECTS; i++)
        MPI_Comm_free(&comm[i]);
    write_outcome(argv[1], n);
    MPI_Finalize();
    return 0;
}
