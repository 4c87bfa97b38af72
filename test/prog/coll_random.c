/*
 * Many collectives, drawn alike in all ranks: which one, in which form, on which
 * communicator, with which root, counts, datatypes and operator, in place or
 * not. Every int of every receive buffer counts, those in gaps too.
 *
 * Left out is what the libraries themselves do wrong: Open MPI 4.1 aborts in
 * scatterv on an intercommunicator; MPICH 4.0 broadcasts from the wrong rank in
 * Ibcast on one, writes out of bounds in Reduce_scatter_block of a datatype with
 * gaps, and persistent collectives crash (see pcoll).
 *
 * run: -n 1 1 200
 * run: -n 2 2 200
 * run: -n 3 3 200
 * run: -n 4 4 200
 * compare: each
 */
#include "check.h"

#include <stdint.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

enum { ROOM = 4096, MARGIN = 8, MOST = 8, PENDING = 6, PER_LINE = 20 };
enum form { BLOCKING, NONBLOCKING, PERSISTENT };

static uint64_t dice_state, hash;

static int dice(int sides)
{
    dice_state = dice_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((dice_state >> 33) % (unsigned)sides);
}

/* Datatypes of one or two ints, with and without gaps. */
enum { INT, PAIR, SPREAD, LATE, SHIFTED, TYPES };
static MPI_Datatype type[TYPES];
static const int ints[TYPES] = {1, 2, 2, 1, 2};

static void make_types(void)
{
    const int one = 1;
    const MPI_Aint at = sizeof(int);
    MPI_Datatype bare[3];

    MPI_Type_vector(2, 1, 2, MPI_INT, &bare[0]);
    MPI_Type_create_hindexed(1, &one, &at, MPI_INT, &bare[1]);
    MPI_Type_create_hindexed_block(1, 2, &at, MPI_INT, &bare[2]);
    type[INT] = MPI_INT;
    MPI_Type_contiguous(2, MPI_INT, &type[PAIR]);
    MPI_Type_create_resized(bare[0], 0, 4 * at, &type[SPREAD]);
    MPI_Type_create_resized(bare[1], 0, 3 * at, &type[LATE]);
    MPI_Type_create_resized(bare[2], at, 2 * at, &type[SHIFTED]);
    for (int i = PAIR; i < TYPES; i++)
        MPI_Type_commit(&type[i]);
    for (int i = 0; i < LENGTH(bare); i++)
        MPI_Type_free(&bare[i]);
}

static int mod(int x)
{
    return (x % 101 + 101) % 101;
}

/* Maps x -> ax + b modulo 101, one after the other: this does not commute. */
static void compose(void *in, void *inout, int *length, MPI_Datatype *datatype)
{
    MPI_Aint lb, extent, true_lb, true_extent;

    MPI_Type_get_extent(*datatype, &lb, &extent);
    MPI_Type_get_true_extent(*datatype, &true_lb, &true_extent);
    for (int i = 0, b = (int)(true_extent / (int)sizeof(int)) - 1; i < *length; i++) {
        int *f = (int *)((char *)in + i * extent + true_lb);
        int *g = (int *)((char *)inout + i * extent + true_lb);
        g[b] = mod(mod(f[0]) * mod(g[b]) + mod(f[b]));
        g[0] = mod(mod(f[0]) * mod(g[0]));
    }
}

static MPI_Op composition;

/* One collective, from its draw until its result is told. */
static struct step {
    enum form form;
    MPI_Request request;
    int send[ROOM], recv[ROOM];
    int scounts[MOST], sdispls[MOST], rcounts[MOST], rdispls[MOST];
    MPI_Datatype stypes[MOST], rtypes[MOST];
} steps[PENDING];
static int pending;

static void tell(const struct step *s)
{
    for (int i = 0; i < ROOM; i++)
        hash = (hash ^ (unsigned)s->recv[i]) * UINT64_C(1099511628211);
}

static void settle(void)
{
    for (int i = 0; i < pending; i++) {
        int j = dice(2) ? i : pending - 1 - i;
        MPI_Wait(&steps[j].request, MPI_STATUS_IGNORE);
        MPI_Wait(&steps[i].request, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < pending; i++) {
        if (steps[i].form == PERSISTENT)
            MPI_Request_free(&steps[i].request);
        tell(&steps[i]);
    }
    pending = 0;
}

/* Open MPI 4 has them under a name of its own. */
#if MPI_VERSION >= 4 || OMPI_MAJOR_VERSION >= 5
#define PERSISTENT_NAME(NAME) MPI_##NAME##_init
#else
#define PERSISTENT_NAME(NAME) MPIX_##NAME##_init
#endif

#ifdef OPEN_MPI
#define PERSIST(NAME, ...)                                                  \
    (PERSISTENT_NAME(NAME)(__VA_ARGS__, MPI_INFO_NULL, &s->request),           \
     MPI_Start(&s->request), MPI_Wait(&s->request, MPI_STATUS_IGNORE),      \
     MPI_Start(&s->request))
#else
#define PERSIST(NAME, ...) abort()
#endif

#define DO(NAME, INAME, ...)                               \
    do {                                                   \
        if (s->form == BLOCKING)                           \
            MPI_##NAME(__VA_ARGS__);                       \
        else if (s->form == NONBLOCKING)                   \
            MPI_##INAME(__VA_ARGS__, &s->request);         \
        else                                               \
            PERSIST(NAME, __VA_ARGS__);                    \
    } while (0)

/* Where the step happens. Between the ranks a and b of varied collectives go flow(a, b) ints. */
struct place {
    MPI_Comm comm;
    int inter, me, members, peers;
    int root, is_root;
    int length;
};

static int flow(const struct place *p, int a, int b)
{
    return 2 * ((3 * a + 5 * b + p->length) % 4);
}

static void find_root(struct place *p)
{
    int side = p->inter ? rank % 2 : 0, root_side = dice(2), draw = dice(1000);
    int group = p->inter && side != root_side ? p->peers : p->members, root = draw % group;

    p->root = root;
    if (p->inter && side == root_side)
        p->root = p->me == root ? MPI_ROOT : MPI_PROC_NULL;
    p->is_root = p->inter ? p->root == MPI_ROOT : p->root == p->me;
}

static void fill(struct step *s)
{
    for (int i = 0; i < ROOM; i++) {
        s->send[i] = 1000 * (rank + 1) + i % 997;
        s->recv[i] = -1000 * (rank + 1) - i % 991;
    }
    for (int i = 0; i < MOST; i++) {
        s->sdispls[i] = 8 * i + i % 2;
        s->rdispls[i] = 7 * i;
    }
}

static void move(struct step *s, const struct place *p, int in_place)
{
    int st = dice(TYPES), rt = dice(TYPES), sc = p->length / ints[st], rc = p->length / ints[rt];
    int mine = flow(p, p->me, 0), at_root = in_place && p->is_root, *recv = s->recv + MARGIN;
    const void *send = in_place ? MPI_IN_PLACE : s->send, *up = at_root ? MPI_IN_PLACE : s->send;
    void *down = at_root ? MPI_IN_PLACE : recv;
    MPI_Comm c = p->comm;

    for (int i = 0; i < p->peers; i++) {
        s->scounts[i] = flow(p, i, 0) / ints[st];
        s->rcounts[i] = flow(p, i, 0) / ints[rt];
    }
    switch (dice(9)) {
    case 0:
        DO(Barrier, Ibarrier, c);
        break;
    case 1:
        if (p->inter)
            s->form = BLOCKING;
        DO(Bcast, Ibcast, recv, p->is_root ? sc : rc, type[p->is_root ? st : rt], p->root, c);
        break;
    case 2:
        DO(Gather, Igather, up, sc, type[st], recv, rc, type[rt], p->root, c);
        break;
    case 3:
        DO(Gatherv, Igatherv, up, mine / ints[st], type[st], recv, s->rcounts, s->rdispls, type[rt], p->root, c);
        break;
    case 4:
        DO(Scatter, Iscatter, s->send, sc, type[st], down, rc, type[rt], p->root, c);
        break;
    case 5:
        DO(Scatterv, Iscatterv, s->send, s->scounts, s->sdispls, type[st], down, mine / ints[rt], type[rt], p->root, c);
        break;
    case 6:
        DO(Allgather, Iallgather, send, sc, type[st], recv, rc, type[rt], c);
        break;
    case 7:
        DO(Allgatherv, Iallgatherv, send, mine / ints[st], type[st], recv, s->rcounts, s->rdispls, type[rt], c);
        break;
    case 8:
        DO(Alltoall, Ialltoall, send, sc, type[st], recv, rc, type[rt], c);
        break;
    }
}

static void exchange(struct step *s, const struct place *p)
{
    int st = dice(TYPES), rt = dice(TYPES), mixed = dice(2), *recv = s->recv + MARGIN;

    for (int i = 0; i < p->peers; i++) {
        int out = mixed ? (st + i) % TYPES : st, in = mixed ? (rt + i + p->me) % TYPES : rt;
        s->stypes[i] = type[out];
        s->rtypes[i] = type[in];
        s->scounts[i] = flow(p, p->me, i) / ints[out];
        s->rcounts[i] = flow(p, i, p->me) / ints[in];
        if (mixed) {
            s->sdispls[i] = 100 * i;
            s->rdispls[i] = 120 * i;
        }
    }
    if (mixed)
        DO(Alltoallw, Ialltoallw, s->send, s->scounts, s->sdispls, s->stypes, recv, s->rcounts, s->rdispls, s->rtypes,
           p->comm);
    else
        DO(Alltoallv, Ialltoallv, s->send, s->scounts, s->sdispls, type[st], recv, s->rcounts, s->rdispls, type[rt],
           p->comm);
}

static void combine(struct step *s, const struct place *p, int in_place)
{
    const MPI_Op ops[] = {MPI_SUM, MPI_MAX, MPI_BXOR, composition};
    const int pairs[] = {PAIR, SPREAD, SHIFTED};
    MPI_Op op = ops[dice(LENGTH(ops))];
    MPI_Datatype t = type[op == composition ? pairs[dice(LENGTH(pairs))] : INT];
    int count = dice(9), what = dice(p->inter ? 4 : 6), *recv = s->recv + MARGIN;
    const void *send = in_place ? MPI_IN_PLACE : s->send, *up = in_place && p->is_root ? MPI_IN_PLACE : s->send;
    MPI_Comm c = p->comm;

    switch (what) {
    case 0:
        DO(Reduce, Ireduce, up, recv, count, t, op, p->root, c);
        break;
    case 1:
        DO(Allreduce, Iallreduce, send, recv, count, t, op, c);
        break;
    case 2: /* not in place: libraries use the rest of the buffer; both groups cut the same total */
        for (int i = 0; i < p->members; i++)
            s->rcounts[i] = p->inter ? 12 / p->members + (i < 12 % p->members) : (i + count) % 3;
        DO(Reduce_scatter, Ireduce_scatter, s->send, recv, s->rcounts, t, op, c);
        break;
    case 3:
        if (op == composition)
            t = type[PAIR];
        DO(Reduce_scatter_block, Ireduce_scatter_block, s->send, recv, p->inter ? p->peers * (count % 3) : count, t, op,
           c);
        break;
    case 4:
        DO(Scan, Iscan, send, recv, count, t, op, c);
        break;
    case 5:
        DO(Exscan, Iexscan, send, recv, count, t, op, c);
        break;
    }
}

static void one(const MPI_Comm *comms, int ncomms)
{
    struct step *s = &steps[pending];
    struct place p = {.comm = comms[dice(ncomms)], .length = 2 * dice(8)};
    int kind = dice(5), in_place = dice(3) == 0;

    fill(s);
    MPI_Comm_test_inter(p.comm, &p.inter);
    MPI_Comm_rank(p.comm, &p.me);
    MPI_Comm_size(p.comm, &p.members);
    p.peers = p.members;
    if (p.inter)
        MPI_Comm_remote_size(p.comm, &p.peers);
    find_root(&p);
    in_place = in_place && !p.inter;
#ifdef OPEN_MPI
    s->form = dice(3);
#else
    s->form = dice(2);
#endif
    if (kind < 2)
        move(s, &p, in_place);
    else if (kind == 2)
        exchange(s, &p);
    else
        combine(s, &p, in_place);
    if (s->form == BLOCKING)
        tell(s);
    else if (++pending == PENDING)
        settle();
}

int main(int argc, char **argv)
{
    MPI_Comm comms[4] = {MPI_COMM_WORLD, MPI_COMM_SELF};
    int ncomms = 3;

    begin(&argc, &argv);
    dice_state = strtoull(argv[1], NULL, 0);
    make_types();
    MPI_Op_create(compose, 0, &composition);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comms[2]);
#ifndef OPEN_MPI
    if (size > 1) {
        MPI_Comm half;
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &comms[ncomms++]);
        MPI_Comm_free(&half);
    }
#endif
    for (int i = 1; i <= atoi(argv[2]); i++) {
        one(comms, ncomms);
        if (i % PER_LINE == 0) {
            settle();
            say("after %d: %016llx", i, (unsigned long long)hash);
        }
    }
    for (int i = PAIR; i < TYPES; i++)
        MPI_Type_free(&type[i]);
    MPI_Op_free(&composition);
    for (int i = 2; i < ncomms; i++)
        MPI_Comm_free(&comms[i]);
    return finish();
}
