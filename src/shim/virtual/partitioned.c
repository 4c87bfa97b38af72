#include "shim/virtual/partitioned.h"

#include <stdlib.h>
#include <string.h>

#include "shim/bodies/p2p.h"
#include "shim/bodies/requests.h"
#include "shim/core/error.h"
#include "shim/core/handle.h"
#include "shim/guard/guard.h"

enum { PARTITIONED = 5 }; /* beyond CONTEXT_SALTS */

/* ---- pairs ---- */

/* The n-th of those with this envelope that this rank has made, on this side (P1). */
static uintptr_t count_init(context_t envelope, bool sends)
{
    static struct handle_map made;
    uint64_t key = context_derive(envelope, sends, 0);
    uintptr_t n = (uintptr_t)handle_map_get(&made, key) + 1;
    handle_map_put(&made, key, (void *)n);
    return n;
}

static context_t open_context(const struct comm *comm, context_t pair, int which, const struct group *members)
{
    context_t context = context_derive(pair, which, 0);
    context_announce(context, comm->context, members, NULL);
    context_announce_name(context, comm);
    return context;
}

static void open_pair(struct partitioned *p, const struct comm *comm, rank_t source, rank_t dest, int tag, bool sends)
{
    context_t envelope = context_derive(comm->context, (uint64_t)tag, CONTEXT_SALTS + PARTITIONED);
    envelope = context_derive(envelope, (uint64_t)source, (uint64_t)dest);
    context_t pair = context_derive(envelope, count_init(envelope, sends), 1);
    struct group *members = group_new(source == dest ? 1 : 2);
    members->rank[0] = source;
    members->rank[members->size - 1] = dest;
    p->starts = open_context(comm, pair, 0, members);
    p->parts = open_context(comm, pair, 1, members);
    p->leaves = source != dest; /* else the other side may still use them */
    free(members);
}

/* ---- requests ---- */

static void discard_partitioned(struct request *r)
{
    struct partitioned *p = r->state;
    if (p->leaves) {
        context_leave(p->starts);
        context_leave(p->parts);
    }
    free(p->over);
    free(p->lent);
    free(p);
}

static int check_partitions(const struct comm *comm, int partitions)
{
    if (partitions < 0)
        return error_argument(comm, MPI_ERR_ARG, "the number of partitions is %d", partitions);
    return MPI_SUCCESS;
}

static int check_peer(MPI_Comm comm, int peer, int tag, bool sends)
{
    if (!sends && peer == MPI_ANY_SOURCE)
        return error_argument(comm_find(comm), MPI_ERR_RANK, "a partitioned receive names its source, and not MPI_ANY_SOURCE");
    if (!sends && tag == MPI_ANY_TAG)
        return error_argument(comm_find(comm), MPI_ERR_TAG, "a partitioned receive names its tag, and not MPI_ANY_TAG");
    return MPI_SUCCESS;
}

int partitioned_make(struct request **made, const void *buf, int partitions, MPI_Count count, MPI_Datatype datatype, int peer,
                     int tag, MPI_Comm comm, bool sends)
{
    struct envelope e;
    int rc = check_peer(comm, peer, tag, sends);
    if (rc == MPI_SUCCESS)
        rc = p2p_check_envelope(&e, comm, peer, tag, sends);
    if (rc == MPI_SUCCESS)
        rc = check_partitions(e.comm, partitions);
    if (rc == MPI_SUCCESS)
        rc = p2p_check_buffer(e.comm, buf, count, datatype);
    if (rc != MPI_SUCCESS)
        return rc;
    p2p_check_memory(peer, buf, count * partitions, datatype, !sends);

    struct partitioned *p = shim_alloc(sizeof *p);
    *p = (struct partitioned){.partitions = partitions, .count = count};
    p->over = shim_alloc((size_t)partitions * sizeof *p->over);
    p->lent = shim_alloc((size_t)partitions * sizeof *p->lent);
    memset(p->lent, 0, (size_t)partitions * sizeof *p->lent);
    struct request *r = *made = request_new(e.comm);
    r->state = p;
    r->discard = discard_partitioned;
    r->persistent = r->partitioned = true;
    r->buf = (void *)buf;
    r->count = count * partitions;
    r->datatype = type_hold(datatype);
    r->peer = peer;
    r->tag = tag;
    if (peer != MPI_PROC_NULL) {
        rank_t other = p2p_world_rank(e.comm, peer);
        open_pair(p, e.comm, sends ? shim.rank : other, sends ? other : shim.rank, tag, sends);
    }
    return MPI_SUCCESS;
}

/* ---- buffers ---- */

void *partition_buffer(const struct request *r, int partition)
{
    const struct partitioned *p = r->state;
    return type_at(r->buf, partition * p->count, type_find(r->datatype));
}

void partition_lend(struct request *r, int partition)
{
    struct partitioned *p = r->state;
    struct request *lent = p->lent[partition] = request_new(r->comm);
    lent->call = r->call;
    lent->buf = partition_buffer(r, partition);
    lent->count = p->count;
    lent->datatype = type_hold(r->datatype);
    lent->peer = r->peer;
    lent->finish = r->finish; /* it is filled, or only read */
    lent->buffers = p2p_buffers;
    guard_begin(lent);
}

void partition_return(struct request *r, int partition)
{
    struct partitioned *p = r->state;
    if (!p->lent[partition])
        return;
    guard_check(p->lent[partition]);
    request_delete(p->lent[partition]);
    p->lent[partition] = NULL;
}

/* ---- starts ---- */

void partitioned_begin(struct request *r)
{
    struct partitioned *p = r->state;
    memset(p->over, 0, (size_t)p->partitions * sizeof *p->over);
    p->left = p->partitions;
}

void partitioned_end(struct request *r)
{
    struct partitioned *p = r->state;
    for (int i = 0; i < p->partitions; i++)
        partition_return(r, i);
    for (const struct request *part = r->half; part; part = part->half)
        request_parts--;
    if (r->half)
        request_delete(r->half);
    r->half = p->all_ready = NULL;
    free(p->message);
    free(p->packed);
    p->message = NULL;
    p->packed = NULL;
}
