/*
 * What can be wrong with partitioned communication, each beside a program that is nearly the same.
 *
 * mpi: mpich
 * one run: yes
 * check: -n 2 -- right: none
 * check: -n 2 -- twice: partition-state error TWICE
 * check: -n 2 -- early: partition-state error EARLY
 * check: -n 2 -- never: partition-state error SENDER
 * check: -n 2 -- never: deadlock error SENDER
 * check: -n 2 -- later: none
 * check: -n 2 -- size: partition-size error RECEIVE
 * check: -n 2 -- size: truncation error WAITS
 * check: -n 2 -- short: partition-size error RECEIVE
 * check: -n 2 -- type: type-mismatch error START
 * check: -n 2 -- type: buffer-type warning RECEIVE
 * check: -n 2 -- read: buffer-race error READ
 * check: -n 2 -- write: buffer-race error WRITE
 * check: -n 2 -- polled: none
 * check: -n 2 -- again: request-state error START
 * check: -n 2 -- cancel: request-state error CANCEL
 * check: -n 2 -- crossed: buffering-deadlock error CROSSED
 * check: -n 2 -- asked: partition-state warning ASKED
 * check: -n 2 -- leak: request-leak error FIRST
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { PARTS = 4, EACH = 2048 };

static int data[PARTS * EACH], other[PARTS * EACH];
static const char *what;

static int is(const char *word)
{
    return !strcmp(what, word);
}

static void start(MPI_Request *request)
{
    MPI_Start(request); /* START */
}

static void make(int rank, int *v, MPI_Request *request)
{
    int parts = is(rank == 0 ? "short" : "size") ? PARTS / 2 : PARTS;
    MPI_Datatype type = is("type") ? MPI_FLOAT : MPI_INT;

    if (rank == 0)
        MPI_Psend_init(v, parts, EACH, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, request); /* FIRST */
    else
        MPI_Precv_init(v, parts, EACH, type, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, request); /* RECEIVE */
}

static void sends(void)
{
    MPI_Request request;

    make(0, data, &request);
    if (is("early"))
        MPI_Pready(0, request); /* EARLY */
    start(&request);
    if (is("again"))
        start(&request);
    if (is("cancel"))
        MPI_Cancel(&request); /* CANCEL */
    for (int i = 0; i < (is("short") ? PARTS / 2 : PARTS - (is("never") || is("later"))); i++) {
        data[i * EACH] = i + 1;
        MPI_Pready(i, request);
    }
    if (is("twice"))
        MPI_Pready(1, request); /* TWICE */
    if (is("write"))
        data[EACH + 7] = 5; /* WRITE */
    if (is("later")) {
        MPI_Request requests[2] = {request};
        int index, word;

        MPI_Irecv(&word, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
        data[(PARTS - 1) * EACH] = PARTS;
        MPI_Pready(PARTS - 1, request);
    }
    if (!is("leak")) {
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* SENDER */
        MPI_Request_free(&request);
    }
}

static void receives(void)
{
    MPI_Request request;
    volatile int seen = 0;
    int flag = 0;

    make(1, data, &request);
    start(&request);
    if (is("read"))
        seen = data[EACH]; /* READ */
    if (is("later"))
        MPI_Send(&flag, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    if (is("polled")) {
        while (!flag)
            MPI_Parrived(request, 1, &flag);
        seen = data[EACH];
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* WAITS */
    if (is("asked"))
        MPI_Parrived(request, 0, &flag); /* ASKED */
    MPI_Request_free(&request);
    (void)seen;
}

/* Each waits for its send before it starts its receive. */
static void cross(int rank)
{
    MPI_Request send, recv;

    MPI_Psend_init(data, PARTS, EACH, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &send);
    MPI_Precv_init(other, 1, PARTS * EACH, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &recv);
    start(&send);
    MPI_Pready_range(0, PARTS - 1, send);
    MPI_Wait(&send, MPI_STATUS_IGNORE); /* CROSSED */
    start(&recv);
    MPI_Wait(&recv, MPI_STATUS_IGNORE);
    MPI_Request_free(&send);
    MPI_Request_free(&recv);
}

int main(int argc, char **argv)
{
    int rank;

    what = argc > 1 ? argv[1] : "right";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (is("crossed"))
        cross(rank);
    else if (rank == 0)
        sends();
    else
        receives();
    MPI_Finalize();
    return 0;
}
