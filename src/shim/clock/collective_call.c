#include "shim/clock/collective_call.h"

#include <stdlib.h>
#include <string.h>

#include "shim/bodies/requests.h"
#include "shim/channel.h"
#include "shim/clock/comm.h"
#include "shim/clock/ledger.h"
#include "shim/clock/posting.h"
#include "shim/clock/reply.h"
#include "shim/core/library_code.h"
#include "shim/objects/reduction_op.h"
#include "shim/objects/series.h"
#include "shim/objects/type.h"

enum flow { FLOW_NONE, FLOW_ALL, FLOW_FROM_ROOT, FLOW_TO_ROOT, FLOW_PREFIX, FLOW_NEIGHBOURS, FLOW_MAKES };


#define BOTH(X, Y, flow) [CALL_##X] = flow, [CALL_##Y] = flow, [CALL_##X##_init] = flow

static const unsigned char flows[CALL_COUNT] = {
    BOTH(Barrier, Ibarrier, FLOW_ALL),
    BOTH(Bcast, Ibcast, FLOW_FROM_ROOT),
    BOTH(Gather, Igather, FLOW_TO_ROOT),
    BOTH(Gatherv, Igatherv, FLOW_TO_ROOT),
    BOTH(Scatter, Iscatter, FLOW_FROM_ROOT),
    BOTH(Scatterv, Iscatterv, FLOW_FROM_ROOT),
    BOTH(Allgather, Iallgather, FLOW_ALL),
    BOTH(Allgatherv, Iallgatherv, FLOW_ALL),
    BOTH(Alltoall, Ialltoall, FLOW_ALL),
    BOTH(Alltoallv, Ialltoallv, FLOW_ALL),
    BOTH(Alltoallw, Ialltoallw, FLOW_ALL),
    BOTH(Reduce, Ireduce, FLOW_TO_ROOT),
    BOTH(Allreduce, Iallreduce, FLOW_ALL),
    BOTH(Reduce_scatter, Ireduce_scatter, FLOW_ALL),
    BOTH(Reduce_scatter_block, Ireduce_scatter_block, FLOW_ALL),
    BOTH(Scan, Iscan, FLOW_PREFIX),
    BOTH(Exscan, Iexscan, FLOW_PREFIX),
    BOTH(Neighbor_allgather, Ineighbor_allgather, FLOW_NEIGHBOURS),
    BOTH(Neighbor_allgatherv, Ineighbor_allgatherv, FLOW_NEIGHBOURS),
    BOTH(Neighbor_alltoall, Ineighbor_alltoall, FLOW_NEIGHBOURS),
    BOTH(Neighbor_alltoallv, Ineighbor_alltoallv, FLOW_NEIGHBOURS),
    BOTH(Neighbor_alltoallw, Ineighbor_alltoallw, FLOW_NEIGHBOURS),
    [CALL_Win_create] = FLOW_ALL,
    [CALL_Win_create_dynamic] = FLOW_ALL,
    [CALL_Win_allocate] = FLOW_ALL,
    [CALL_Win_allocate_shared] = FLOW_ALL,
    [CALL_Win_fence] = FLOW_ALL,
    [CALL_Win_free] = FLOW_ALL,
    [CALL_Comm_dup] = FLOW_ALL,
    [CALL_Comm_dup_with_info] = FLOW_ALL,
    [CALL_Comm_idup] = FLOW_ALL,
    [CALL_Comm_idup_with_info] = FLOW_ALL,
    [CALL_Comm_disconnect] = FLOW_ALL,
    [CALL_Comm_create] = FLOW_ALL,
    [CALL_Comm_split] = FLOW_ALL,
    [CALL_Comm_split_type] = FLOW_ALL,
    [CALL_Comm_create_group] = FLOW_MAKES,
    [CALL_Intercomm_create] = FLOW_MAKES,
    [CALL_Intercomm_merge] = FLOW_ALL,
    [CALL_Cart_create] = FLOW_ALL,
    [CALL_Cart_sub] = FLOW_ALL,
    [CALL_Graph_create] = FLOW_ALL,
    [CALL_Dist_graph_create] = FLOW_ALL,
    [CALL_Dist_graph_create_adjacent] = FLOW_ALL,
};

/*
 * The words of an exchange: what has to agree, each with its complement, so that the largest of
 * all tells whether they are the same; whether the clock is news to somebody; then the clock.
 */
enum { ABOUT = 5, SUMS = 2 * ABOUT, NEWS = SUMS, FIXED = SUMS + 1 };

struct clock_exchange {
    struct comm *comm;
    enum flow flow;
    int root;
    uint32_t *given, *got; /* owned */
    int words;
    int sources;           /* FLOW_NEIGHBOURS: so many are got */
    MPI_Request request;   /* on the shadow; not blocking */
    MPI_Comm *copy, shadow; /* a communicator that is being made, where, and its shadow */
    MPI_Request copying;
    uint64_t turn;         /* when that was begun: several may be under way */
    MPI_Comm along;        /* what it goes along on: the shadow, or where there are neighbours the communicator itself */
    MPI_Request inner;     /* of a persistent one */
    bool kept;             /* persistent: the members below are used again */
    struct collective_call again;
    struct series series;  /* and it is matched by its init, as the program's own is: `along` is for it alone */
};

static bool is_root(const struct comm *c, int root)
{
    return root == (c->remote ? MPI_ROOT : c->rank);
}

static uint64_t bytes_at(const struct collective_call *j, int i)
{
    const struct type *type = j->data[i].count < 0 ? NULL : type_find(j->data[i].type);
    return type ? type_bytes(type, j->data[i].count) : 0;
}

/* How much goes from or to each member, where that is the same everywhere; else 0. */
static uint64_t common_bytes(const struct collective_call *j)
{
    switch ((int)shim.call) { /* a few of many hundred */
    case CALL_Gather:
    case CALL_Igather:
        return bytes_at(j, is_root(j->on, j->root) ? 1 : 0);
    case CALL_Scatter:
    case CALL_Iscatter:
        return bytes_at(j, is_root(j->on, j->root) ? 0 : 1);
    case CALL_Allgather:
    case CALL_Iallgather:
    case CALL_Alltoall:
    case CALL_Ialltoall:
        return bytes_at(j, 1);
    case CALL_Bcast:
    case CALL_Ibcast:
    case CALL_Reduce:
    case CALL_Ireduce:
    case CALL_Allreduce:
    case CALL_Iallreduce:
    case CALL_Scan:
    case CALL_Iscan:
    case CALL_Exscan:
    case CALL_Iexscan:
    case CALL_Reduce_scatter_block:
    case CALL_Ireduce_scatter_block:
        return bytes_at(j, 0);
    default:
        return 0;
    }
}

/* Groups of an intercommunicator may differ in all but the call. */
static void write_sums(const struct collective_call *j, uint32_t *to)
{
    bool alone = j->on->remote != NULL;
    uint64_t bytes = alone ? 0 : common_bytes(j);
    uint32_t about[ABOUT] = {
        shim.call,
        alone ? 0 : (uint32_t)(j->root + 1),
        alone || j->op == MPI_OP_NULL ? 0 : reduction_op_number(j->op),
        (uint32_t)bytes,
        (uint32_t)(bytes >> 32),
    };
    for (int i = 0; i < ABOUT; i++) {
        to[2 * i] = about[i];
        to[2 * i + 1] = ~about[i];
    }
}

/* Only the first thing counts: the others follow from it. */
static void check_sums(const struct clock_exchange *e, uint64_t index)
{
    static const enum causal_dispute_about what[ABOUT] = {DISPUTE_CALL, DISPUTE_ROOT, DISPUTE_OPERATOR, DISPUTE_DATA,
                                                          DISPUTE_DATA};
    for (int i = 0; i < ABOUT; i++) {
        uint32_t mine = e->given[2 * i];
        if (e->got[2 * i] == mine && ~e->got[2 * i + 1] == mine)
            continue;
        LEDGER_PUT(CAUSAL_DISPUTE, causal_dispute, .op = index, .what = what[i]);
        return;
    }
}

static int count_sources(MPI_Comm comm)
{
    int kind, dims, rank, in = 0, out, weighted;
    real_must(Topo_test, comm, &kind);
    if (kind == MPI_CART) {
        real_must(Cartdim_get, comm, &dims);
        return 2 * dims;
    }
    if (kind == MPI_GRAPH) {
        real_must(Comm_rank, comm, &rank);
        real_must(Graph_neighbors_count, comm, rank, &in);
    } else if (kind == MPI_DIST_GRAPH) {
        real_must(Dist_graph_neighbors_count, comm, &in, &out, &weighted);
    }
    return in;
}

static struct clock_exchange *exchange_new(const struct collective_call *j, enum flow flow)
{
    struct clock_exchange *e = shim_alloc(sizeof *e);
    *e = (struct clock_exchange){.comm = j->on,
                           .flow = flow,
                           .root = j->root,
                           .words = FIXED + (int)clock_words(),
                           .sources = 1,
                           .along = flow == FLOW_NEIGHBOURS ? j->on->handle : j->on->shadow,
                           .request = MPI_REQUEST_NULL,
                           .copying = MPI_REQUEST_NULL,
                           .inner = MPI_REQUEST_NULL};
    if (flow == FLOW_NEIGHBOURS)
        e->sources = count_sources(j->comm);
    e->given = shim_alloc((size_t)e->words * sizeof *e->given);
    e->got = shim_alloc((size_t)e->words * (size_t)(e->sources + 1) * sizeof *e->got);
    write_sums(j, e->given);
    return e;
}

static void exchange_free(struct clock_exchange *e)
{
    free(e->given);
    free(e->got);
    free(e);
}

static void write_clock(struct clock_exchange *e)
{
    e->given[NEWS] = clock_stamp() > e->comm->agreed;
    clock_write(e->given + FIXED);
    memset(e->got, 0, (size_t)e->words * (size_t)(e->sources + 1) * sizeof *e->got);
}

/* All members know what this one knows. */
static void note_agreed(struct clock_exchange *e)
{
    e->comm->agreed = clock_stamp();
}

/*
 * What a member knows may be known to all already.  Where all hear of all, or of the root, all know whether there
 * was news the last time.  If there was none they ask first, and vectors do not travel for nothing; else the
 * vector comes at once, most likely not in vain.
 */
static uint32_t flow_bit(const struct clock_exchange *e)
{
    return UINT32_C(1) << e->flow;
}

static bool asks_first(const struct clock_exchange *e)
{
    return !e->comm->remote && e->comm->silent & flow_bit(e);
}

static void note_news(struct clock_exchange *e, bool news)
{
    e->comm->silent = news ? e->comm->silent & ~flow_bit(e) : e->comm->silent | flow_bit(e);
}

static void exchange_all(struct clock_exchange *e)
{
    bool split = asks_first(e);
    MPI_Comm comm = e->comm->shadow;
    int first = split ? FIXED : e->words;
    real_must(Allreduce, e->given, e->got, first, MPI_UINT32_T, MPI_MAX, comm);
    if (split && e->got[NEWS])
        real_must(Allreduce, e->given + FIXED, e->got + FIXED, e->words - FIXED, MPI_UINT32_T, MPI_MAX, comm);
    if (!split || e->got[NEWS])
        clock_merge(e->got + FIXED);
    note_news(e, e->got[NEWS]);
    if (!e->comm->remote)
        note_agreed(e);
}

static void exchange_from_root(struct clock_exchange *e)
{
    bool split = asks_first(e), root = is_root(e->comm, e->root);
    MPI_Comm comm = e->comm->shadow;
    uint32_t *words = root ? e->given : e->got;
    real_must(Bcast, words, split ? FIXED : e->words, MPI_UINT32_T, e->root, comm);
    bool known = e->comm->agreed == clock_stamp();
    if (split && words[NEWS])
        real_must(Bcast, words + FIXED, e->words - FIXED, MPI_UINT32_T, e->root, comm);
    if (!root && e->root != MPI_PROC_NULL && (!split || words[NEWS]))
        clock_merge(words + FIXED);
    note_news(e, words[NEWS]);
    if ((root || known) && !e->comm->remote)
        note_agreed(e);
}

static void exchange_blocking(struct clock_exchange *e)
{
    MPI_Comm comm = e->comm->shadow;
    write_clock(e);
    switch (e->flow) {
    case FLOW_ALL:
        exchange_all(e);
        break;
    case FLOW_FROM_ROOT:
        exchange_from_root(e);
        break;
    case FLOW_TO_ROOT:
        real_must(Reduce, e->given, e->got, e->words, MPI_UINT32_T, MPI_MAX, e->root, comm);
        clock_merge(e->got + FIXED);
        break;
    case FLOW_PREFIX:
        real_must(Scan, e->given, e->got, e->words, MPI_UINT32_T, MPI_MAX, comm);
        clock_merge(e->got + FIXED);
        break;
    case FLOW_NEIGHBOURS:
        real_must(Neighbor_allgather, e->given, e->words, MPI_UINT32_T, e->got, e->words, MPI_UINT32_T, e->along);
        for (int i = 0; i < e->sources; i++)
            clock_merge(e->got + i * e->words + FIXED);
        break;
    case FLOW_NONE:
    case FLOW_MAKES:
        break;
    }
}

static void exchange_start(struct clock_exchange *e)
{
    MPI_Comm comm = e->along;
    write_clock(e);
    switch (e->flow) {
    case FLOW_ALL:
        real_must(Iallreduce, e->given, e->got, e->words, MPI_UINT32_T, MPI_MAX, comm, &e->request);
        break;
    case FLOW_FROM_ROOT:
        real_must(Ibcast, is_root(e->comm, e->root) ? e->given : e->got, e->words, MPI_UINT32_T, e->root, comm, &e->request);
        break;
    case FLOW_TO_ROOT:
        real_must(Ireduce, e->given, e->got, e->words, MPI_UINT32_T, MPI_MAX, e->root, comm, &e->request);
        break;
    case FLOW_PREFIX:
        real_must(Iscan, e->given, e->got, e->words, MPI_UINT32_T, MPI_MAX, comm, &e->request);
        break;
    case FLOW_NEIGHBOURS:
        real_must(Ineighbor_allgather, e->given, e->words, MPI_UINT32_T, e->got, e->words, MPI_UINT32_T, e->along,
                                 &e->request);
        break;
    case FLOW_NONE:
    case FLOW_MAKES:
        break;
    }
}

static void exchange_finish(struct clock_exchange *e)
{
    real_must(Wait, &e->request, MPI_STATUS_IGNORE);
    for (int i = 0; i < e->sources; i++)
        clock_merge(e->got + i * e->words + FIXED);
}

/* Whether others' sums are here. */
static bool has_sums(const struct clock_exchange *e)
{
    switch (e->flow) {
    case FLOW_ALL:
        return true;
    case FLOW_FROM_ROOT:
        return !is_root(e->comm, e->root) && e->root != MPI_PROC_NULL;
    case FLOW_TO_ROOT:
        return is_root(e->comm, e->root);
    case FLOW_NONE:
    case FLOW_PREFIX:
    case FLOW_NEIGHBOURS:
    case FLOW_MAKES:
        return false;
    }
    return false;
}

/* What is taken of member or neighbour i, where that differs; the program may not have read the standard. */
static bool takes_of_peer(const struct collective_call *j, int i)
{
    const char *at = (const char *)j->counts + (size_t)i * j->width;
    MPI_Count count = j->width == sizeof(int) ? *(const int *)at : *(const MPI_Count *)at;
    MPI_Datatype type = j->types ? j->types[i] : j->type;
    return count < 0 || type == MPI_DATATYPE_NULL || type_bytes(type_find(type), count) > 0;
}

/* Whether bytes are taken of those that this flow is from; of a barrier, and where a communicator is made, all count. */
static bool takes_any_bytes(const struct collective_call *j)
{
    int which = j->data[1].count >= 0 ? 1 : 0;
    return j->data[which].count < 0 || j->data[which].type == MPI_DATATYPE_NULL || bytes_at(j, which) > 0;
}

static bool takes_from(const struct collective_call *j, int i)
{
    bool reduces = j->op != MPI_OP_NULL; /* then counts are those of the members of this group */
    if (!j->counts)
        return takes_any_bytes(j);
    return takes_of_peer(j, reduces ? j->on->rank : i);
}

/* Positions whose data this member takes by the flow of its call, by peer: those that bring bytes are needed (M5). */
static void flow_range(const struct collective_call *j, enum flow flow, uint32_t *from, uint32_t *until)
{
    const struct comm *c = j->on;
    bool root = is_root(c, j->root);
    uint32_t peers = c->remote ? (uint32_t)comm_peer_position(c, 0) : 0, all = (uint32_t)comm_peers(c)->size;
    *from = *until = peers;
    if (flow == FLOW_ALL || (flow == FLOW_TO_ROOT && root))
        *until = peers + all;
    else if (flow == FLOW_FROM_ROOT && !root && j->root != MPI_PROC_NULL)
        *until = (*from = (uint32_t)comm_peer_position(c, j->root)) + 1;
    else if (flow == FLOW_PREFIX)
        *until = peers + (uint32_t)c->rank;
}

/* A range, or, where some of it bring nothing, a list. */
static void needs(const struct collective_call *j, enum flow flow, struct op_coll *coll, uint32_t *listed)
{
    uint32_t from, until, first = j->on->remote ? (uint32_t)comm_peer_position(j->on, 0) : 0;
    flow_range(j, flow, &from, &until);
    for (uint32_t i = from; i < until; i++)
        if (takes_from(j, (int)(i - first)))
            listed[coll->listed++] = i;
    if (coll->listed < until - from)
        return;
    coll->listed = 0;
    coll->from = from;
    coll->until = until;
}

static rank_t root_in_world(const struct collective_call *j)
{
    if (j->root == -1 || j->root == MPI_PROC_NULL)
        return RANK_NONE;
    return j->root == MPI_ROOT ? shim.rank : comm_peers(j->on)->rank[j->root];
}

/* The members that neighbours are, those that bring nothing left out, for the tail. */
static uint32_t list_neighbours(const struct collective_call *j, uint32_t *to)
{
    int kind, n = 0, sources = count_sources(j->comm);
    int *rank = shim_alloc((sources + 1) * sizeof *rank);
    real_must(Topo_test, j->comm, &kind);
    if (kind == MPI_CART)
        for (int i = 0; i < sources / 2; i++)
            real_must(Cart_shift, j->comm, i, 1, &rank[2 * i], &rank[2 * i + 1]);
    else if (kind == MPI_GRAPH)
        real_must(Graph_neighbors, j->comm, j->on->rank, sources, rank);
    else {
        int in, out, weighted;
        real_must(Dist_graph_neighbors_count, j->comm, &in, &out, &weighted);
        int *rest = shim_alloc((in + 2 * out + 1) * sizeof *rest); /* weights, and whom it sends to */
        real_must(Dist_graph_neighbors, j->comm, in, rank, rest, out, rest + in, rest + in + out);
        free(rest);
    }
    for (int i = 0; i < sources; i++)
        if (rank[i] != MPI_PROC_NULL && takes_from(j, i))
            to[n++] = (uint32_t)rank[i];
    free(rank);
    return (uint32_t)n;
}

/* The next of its communicator; or, of a persistent one, of its series. */
static uint64_t post_collective(const struct collective_call *j, enum flow flow, enum call call)
{
    struct series *series = j->exchange->kept ? &j->exchange->series : NULL;
    int most = flow == FLOW_NEIGHBOURS ? count_sources(j->comm) : comm_peers(j->on)->size;
    uint32_t *listed = shim_alloc((size_t)(most + 1) * sizeof *listed);
    struct op_coll coll = {.reduction = j->op == MPI_OP_NULL ? 0 : reduction_op_number(j->op)};
    if (flow == FLOW_NEIGHBOURS)
        coll.listed = list_neighbours(j, listed);
    else
        needs(j, flow, &coll, listed);
    int which = j->data[0].count >= 0 ? 0 : 1;
    bool told = j->data[which].count >= 0 && j->data[which].type != MPI_DATATYPE_NULL;
    const struct type *type = told ? type_find(j->data[which].type) : NULL;
    struct op op = {.kind = OP_COLL,
                    .call = call,
                    .flags = j->blocking ? OPF_BLOCKING : 0,
                    .request = j->request ? j->request->number : 0,
                    .peer = root_in_world(j),
                    .turn = (int32_t)(series ? series->turns++ : j->on->turns++),
                    .context = series ? series->context : j->on->context,
                    .bytes = told ? type_bytes(type, j->data[which].count) : 0,
                    .count = told ? j->data[which].count : 0,
                    .type = told ? type->number : 0,
                    .signature = told ? type->signature : 0};
    char *tail = channel_begin(&op, sizeof coll + op_round(coll.listed * sizeof *listed));
    memcpy(tail, &coll, sizeof coll);
    if (coll.listed) {
        memset(tail + sizeof coll, 0, op_round(coll.listed * sizeof *listed));
        memcpy(tail + sizeof coll, listed, coll.listed * sizeof *listed);
    }
    channel_commit();
    free(listed);
    return posting.index;
}

/* The init of a persistent collective takes a turn, and nobody's data. */
static uint64_t post_init(const struct collective_call *j)
{
    struct op_coll coll = {0};
    struct op op = {.kind = OP_COLL,
                    .call = shim.call,
                    .flags = OPF_BLOCKING,
                    .peer = root_in_world(j),
                    .turn = (int32_t)j->on->turns++,
                    .context = j->on->context};
    memcpy(channel_begin(&op, sizeof coll), &coll, sizeof coll);
    channel_commit();
    return posting.index;
}

/* What the library will complain about does not go along on the shadow. */
static bool is_plausible_call(const struct collective_call *j)
{
    int peers = comm_peers(j->on)->size;
    if (j->root != -1 && !(j->on->remote && (j->root == MPI_ROOT || j->root == MPI_PROC_NULL)) &&
        (j->root < 0 || j->root >= peers))
        return false;
    for (int i = 0; i < 2; i++)
        if (j->data[i].count > 0 && j->data[i].type == MPI_DATATYPE_NULL)
            return false;
    return true;
}

/* Not all of the parent make a communicator of a group: that is the first turn of the new one. */
static struct comm *find_comm(const struct collective_call *j)
{
    struct comm *c = comm_find(j->comm);
    return c && j->of_group ? comm_expect(c, j->group, j->tag) : c;
}

bool collective_call_begin(struct collective_call *j)
{
    j->on = find_comm(j);
    if (!j->on || !is_plausible_call(j)) {
        j->on = NULL;
        return false;
    }
    comm_hold(j->on);
    enum flow flow = flows[shim.call];
    j->exchange = exchange_new(j, flow);
    if (j->persistent) {
        j->index = post_init(j);
        return true;
    }
    if (!j->blocking)
        j->request = request_new(j->on);
    j->index = post_collective(j, j->of_group ? FLOW_ALL : flow, shim.call);
    if (!j->blocking) {
        exchange_start(j->exchange);
        return true;
    }
    ledger_blocked(j->index, RANK_ANY);
    flights_serve();
    exchange_blocking(j->exchange);
    if (has_sums(j->exchange))
        check_sums(j->exchange, j->index);
    return true;
}

static void write_collective_done(uint64_t op, uint64_t by)
{
    size_t size = offsetof(struct causal_done, sender_op);
    struct causal_done *done = ledger_begin(CAUSAL_DONE, size);
    memset((char *)done + sizeof done->record, 0, size - sizeof done->record);
    done->op = op;
    done->by = by;
    done->clock = clock_now();
    done->source = RANK_NONE;
    ledger_commit();
}

int collective_call_end(struct collective_call *j, int rc)
{
    if (!j->on)
        return rc;
    if (rc == MPI_SUCCESS)
        write_collective_done(j->index, j->index);
    if (flights_have_orphans())
        reply_hand_over_freed();
    ledger_running();
    exchange_free(j->exchange);
    comm_drop(j->on);
    return rc;
}

/* The clock goes to the members of what was made, if they are others than those who made it. */
static void greet(MPI_Comm made)
{
    struct collective_call j = {.comm = made, .on = comm_find(made), .root = -1, .op = MPI_OP_NULL};
    struct clock_exchange *e = exchange_new(&j, FLOW_ALL);
    exchange_blocking(e);
    exchange_free(e);
}

int collective_call_made(struct collective_call *j, int rc, MPI_Comm *newcomm)
{
    bool made = j->on && rc == MPI_SUCCESS && *newcomm != MPI_COMM_NULL;
    if (j->on && j->of_group && !made)
        comm_drop(j->on); /* it was expected in vain */
    if (made) {
        if (j->of_group)
            comm_arrived(j->on, *newcomm);
        else
            comm_made(j->on, j->on->turns, *newcomm, MPI_COMM_NULL);
        if (flows[shim.call] == FLOW_MAKES)
            greet(*newcomm);
    }
    return collective_call_end(j, rc);
}

void collective_call_copies(struct collective_call *j, MPI_Comm *newcomm)
{
    j->exchange->copy = newcomm;
    j->exchange->turn = j->on->turns;
    real_must(Comm_idup, j->on->shadow, &j->exchange->shadow, &j->exchange->copying);
}

/* The library's part of this flight is complete. */
static void finish_exchange_flight(struct flight *f, uint64_t by)
{
    struct clock_exchange *e = f->state;
    exchange_finish(e);
    if (has_sums(e))
        check_sums(e, f->op);
    if (e->copy) {
        real_must(Wait, &e->copying, MPI_STATUS_IGNORE);
        comm_made(e->comm, e->turn, *e->copy, e->shadow);
    }
    write_collective_done(f->op, by);
    if (!e->kept)
        exchange_free(e);
}

static struct flight *take_off(struct collective_call *j, MPI_Request inner)
{
    struct op op = {.request = j->request->number, .context = j->on->context};
    struct flight *f = flight_new(FLIGHT_COLL, &op, j->index);
    f->request = inner;
    f->state = j->exchange;
    f->finish = finish_exchange_flight;
    request_activate(j->request, true, false);
    return f;
}

int collective_call_started(struct collective_call *j, int rc, MPI_Request *request)
{
    if (!j->on)
        return rc;
    if (rc == MPI_SUCCESS) {
        take_off(j, *request);
        *request = request_handle(j->request);
    } else {
        request_delete(j->request);
    }
    comm_drop(j->on);
    return rc;
}

static int start_again(struct request *r)
{
    struct clock_exchange *e = r->state;
    struct collective_call *j = &e->again;
    j->request = r;
    j->index = post_collective(j, e->flow, r->call);
    exchange_start(e);
    int rc = real.Start(&e->inner);
    take_off(j, e->inner);
    return rc;
}

static void discard_exchange(struct request *r)
{
    struct clock_exchange *e = r->state;
    real_must(Request_free, &e->inner);
    real_must(Comm_free, &e->along);
    series_close(&e->series);
    exchange_free(e);
}

/* After the init: starts may come in another order in each member, so they need a communicator of their own. */
static void keep_exchange(struct collective_call *j, MPI_Request inner)
{
    struct clock_exchange *e = j->exchange;
    MPI_Comm along = e->along;
    write_collective_done(j->index, j->index);
    series_open(&e->series, j->on, j->on->turns - 1);
    real_must(Comm_dup, along, &e->along);
    e->kept = true;
    e->inner = inner;
    e->again = *j;
}

int collective_call_prepared(struct collective_call *j, int rc, MPI_Request *request)
{
    if (!j->on)
        return rc;
    if (rc == MPI_SUCCESS) {
        struct request *r = request_new(j->on);
        r->persistent = true;
        r->start = start_again;
        r->discard = discard_exchange;
        r->state = j->exchange;
        keep_exchange(j, *request);
        *request = request_handle(r);
    } else {
        exchange_free(j->exchange);
    }
    comm_drop(j->on);
    return rc;
}
