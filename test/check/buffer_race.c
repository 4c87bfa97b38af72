/*
 * Memory of pending operations that the program touches, on the heap and among its
 * variables, where the very access is seen; and all that it may do meanwhile.
 *
 * check: -n 2 -- write-send: buffer-race error WRITE_SEND
 * check: -n 2 -W buffer-race=warning -- write-send: buffer-race warning WRITE_SEND
 * check: -n 2 -W buffer-race=off -- write-send: none
 * check: -n 2 -- write-recv: buffer-race error WRITE_RECV
 * check: -n 2 -- read-recv: buffer-race error READ_RECV
 * check: -n 2 -- copy-recv: buffer-race error COPY_RECV
 * check: -n 2 -- big-read: buffer-race error BIG_READ
 * check: -n 2 -- free: buffer-race error FREE
 * check: -n 2 -- unmap: buffer-race error UNMAP
 * check: -n 2 -- static: buffer-race error STATIC
 * check: -n 2 -- persistent: buffer-race error PERSISTENT
 * check: -n 2 -- coll-write: buffer-race error COLL_WRITE
 * check: -n 2 -- coll-read: buffer-race error COLL_READ
 * check: -n 2 -- two: buffer-race error TWO
 * check: -n 2 -- two: buffer-race error TWO_MORE
 * check: -n 2 -- loop: buffer-race error LOOP_FIRST
 * check: -n 2 -- loop: buffer-race error LOOP_SECOND
 * check: -n 2: none
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SOME = 10000, MANY = 1 << 16, HUGE = 1 << 18 };

static const char *what;
static int rank, other;
static volatile int sink;
static int table[64];

static int is(const char *name)
{
    return strcmp(what, name) == 0;
}

static void send(void)
{
    int *v = calloc(SOME, sizeof *v);
    MPI_Request request;
    MPI_Isend(v + 2, 4, MPI_INT, other, 0, MPI_COMM_WORLD, &request);
    sink = v[3];
    v[1]++;
    v[6]++;
    if (is("write-send"))
        v[4] = 7; /* WRITE_SEND */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    v[4] = 7;
    free(v);
}

static void receive(void)
{
    int *v = calloc(SOME, sizeof *v), copy[64], flag = 0, ends[2];
    MPI_Request request;
    MPI_Irecv(v + 2, 60, MPI_INT, other, 0, MPI_COMM_WORLD, &request);
    v[0] = v[62] = 1;
    strcpy((char *)&v[0], "abc");
    sink = strlen((char *)&v[0]);
    if (pipe(ends) < 0 || write(ends[1], v, 4) != 4 || read(ends[0], &v[62], 4) != 4 || strcmp((char *)&v[62], "abc"))
        abort();
    close(ends[0]);
    close(ends[1]);
    if (is("write-recv"))
        v[5]++; /* WRITE_RECV */
    if (is("read-recv"))
        sink = v[5]; /* READ_RECV */
    if (is("copy-recv"))
        memcpy(copy, v, sizeof copy); /* COPY_RECV */
    while (!flag) {
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        if (flag)
            sink = v[5];
    }
    memcpy(copy, v, sizeof copy);
    free(v);
}

static void large(void)
{
    double *v = malloc(MANY * sizeof *v);
    MPI_Request request[2];
    for (int i = 0; i < MANY; i++)
        v[i] = i;
    MPI_Irecv(v, MANY / 2, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(v + MANY / 2, MANY / 2, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &request[1]);
    if (is("big-read"))
        sink = v[777]; /* BIG_READ */
    sink = v[MANY - 10];
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    v[0] = v[MANY - 1];
    free(v);
}

static void give_back(void)
{
    char *v = calloc(SOME, 4), *last = malloc(4 * SOME), *into = malloc(HUGE);
    char *w = mmap(NULL, HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    MPI_Request request[2];
    MPI_Isend(v, 100, MPI_CHAR, other, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(w, HUGE, MPI_CHAR, other, 1, MPI_COMM_WORLD, &request[1]);
    if (is("free"))
        free(v); /* FREE */
    if (is("unmap"))
        munmap(w, HUGE); /* UNMAP */
    MPI_Recv(into, 100, MPI_CHAR, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(into, HUGE, MPI_CHAR, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    free(into);
    if (!is("free"))
        free(v);
    if (!is("unmap"))
        munmap(w, HUGE);
    free(last);
}

static void variables(void)
{
    MPI_Request request[2];
    MPI_Irecv(table + 8, 8, MPI_INT, other, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(table + 16, 8, MPI_INT, other, 0, MPI_COMM_WORLD, &request[1]);
    for (int i = 0; i < 8; i++)
        table[i] = table[24 + i] = i;
    sink = table[17];
    if (is("static"))
        table[15] = 1; /* STATIC */
    if (is("two")) {
        table[9] = 1; /* TWO */
        table[20] = 1; /* TWO_MORE */
    }
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    table[20] = table[9];
}

/* One line may be too early for several operations. */
static void neighbours(void)
{
    int in[2];
    MPI_Request request[2];
    MPI_Isend(table + 32, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &request[0]); /* LOOP_FIRST */
    MPI_Isend(table + 33, 1, MPI_INT, other, 1, MPI_COMM_WORLD, &request[1]); /* LOOP_SECOND */
    for (int i = 32; is("loop") && i < 34; i++)
        table[i]++;
    MPI_Recv(&in[0], 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&in[1], 1, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
}

static void persistent(void)
{
    static int in, out;
    MPI_Request request[2];
    MPI_Recv_init(&in, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Send_init(&out, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &request[1]);
    for (int i = 0; i < 3; i++) {
        out = i;
        MPI_Startall(2, request);
        if (is("persistent") && i == 1)
            out++; /* PERSISTENT */
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        sink = in;
    }
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
}

static void collective(void)
{
    int *v = calloc(16, sizeof *v);
    MPI_Request request;
    MPI_Iallreduce(v, v + 8, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    sink = v[2];
    v[4] = v[12] = 3;
    if (is("coll-write"))
        v[2] = 1; /* COLL_WRITE */
    if (is("coll-read"))
        sink = v[9]; /* COLL_READ */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    v[2] = v[9];
    free(v);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    what = argc > 1 ? argv[1] : "";
    other = 1 - rank;
    if (rank == 0) {
        send();
        receive();
    } else {
        int v[60] = {0};
        MPI_Recv(v, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(v, 60, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    large();
    give_back();
    variables();
    neighbours();
    persistent();
    collective();
    MPI_Finalize();
    return 0;
}
