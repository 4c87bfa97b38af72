/*
 * A random program, from its seed: the same in every run, whatever is matched.
 *
 * All ranks make the same list of steps, as if one rank acted at a time, and each does its
 * own.  A receive, or the wait for one, stands where as many messages of its tag have been
 * sent to the rank as receives were posted, so no run can get stuck: of all steps that wait,
 * the first in the list can be done.
 */
#include "figure.h"

enum { RANKS = 4, TAGS = 2, STEPS = 40, PENDING = 64 };

static unsigned seed;

static int pick(int n)
{
    seed = seed * 1103515245 + 12345;
    return (int)(seed >> 16) % n;
}

static int sent[RANKS][TAGS], posted[RANKS][TAGS];

/* Receives that are pending, with the rank that posted them and which of its tag they are. */
static struct pending {
    int rank, tag, turn;
    MPI_Request request;
    int value;
} pending[PENDING];
static int pendings;

static MPI_Request sends[4 * STEPS];
static int sending, value, data; /* received, and sent */

static void do_send(int from, int to, int tag)
{
    int synchronous = pick(3) == 0;
    sent[to][tag]++;
    if (rank != from)
        return;
    MPI_Request *request = &sends[sending++];
    if (synchronous)
        MPI_Issend(&data, 1, MPI_INT, to, tag, MPI_COMM_WORLD, request);
    else
        MPI_Isend(&data, 1, MPI_INT, to, tag, MPI_COMM_WORLD, request);
}

static void do_recv(int who, int tag, int blocks)
{
    int turn = ++posted[who][tag];
    if (blocks) {
        if (rank == who)
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return;
    }
    struct pending *p = &pending[pendings++];
    *p = (struct pending){.rank = who, .tag = tag, .turn = turn, .request = MPI_REQUEST_NULL};
    if (rank == who)
        MPI_Irecv(&p->value, 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &p->request);
}

static void do_wait(int i)
{
    MPI_Wait(&pending[i].request, MPI_STATUS_IGNORE);
    pending[i].turn = 0;
}

static void step(void)
{
    int who = pick(RANKS), tag = pick(TAGS), what = pick(12), i = pendings ? pick(pendings) : 0;
    if (what < 5) {
        int to = pick(RANKS);
        if (to != who)
            do_send(who, to, tag);
    } else if (what < 8) {
        if (sent[who][tag] > posted[who][tag])
            do_recv(who, tag, 1);
    } else if (what < 9) {
        if (pendings < PENDING)
            do_recv(who, tag, 0);
    } else if (what < 11) {
        if (pendings && pending[i].turn && sent[pending[i].rank][pending[i].tag] >= pending[i].turn)
            do_wait(i);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

/* As many messages as receives, and everything waited for. */
static void settle(void)
{
    for (int who = 0; who < RANKS; who++)
        for (int tag = 0; tag < TAGS; tag++) {
            while (sent[who][tag] < posted[who][tag])
                do_send((who + 1) % RANKS, who, tag);
            while (posted[who][tag] < sent[who][tag])
                do_recv(who, tag, 0);
        }
    for (int i = 0; i < pendings; i++)
        do_wait(i);
    MPI_Waitall(sending, sends, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    begin();
    seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    for (int i = 0; i < STEPS; i++)
        step();
    settle();
    MPI_Finalize();
    return 0;
}
