/*
 * coll_reduce -- collectives that combine what the members bring.
 *
 * Every member brings its whole vector, also where others need only a part of
 * it: the parts of a reduce-scatter are cut by who takes them, and the groups
 * of an intercommunicator may cut differently.
 */
#include "shim/virtual/collective.h"

/* A vector to combine, a place for the result, and how. */
struct operands {
    const void *send;
    void *recv;
    MPI_Count count;
    MPI_Datatype type;
    MPI_Op op;
};

/* With MPI_IN_PLACE, where allowed, the vector lies where the result will. */
static void bring_operands(struct collective *c, const struct operands *v, bool may_be_in_place, int32_t position)
{
    bool in_place = v->send == MPI_IN_PLACE && may_be_in_place && !comm_is_inter(c->comm);
    c->in_place = in_place;
    collective_bring(c, even(in_place ? v->recv : v->send, v->count, v->type), 0, position);
}

static void fold_operands(struct collective *c, const struct operands *v)
{
    collective_fold(c, even(v->recv, v->count, v->type));
}

static void reduce_to_root(struct collective *c, struct operands v, int root)
{
    struct role role = collective_role(c, root);
    collective_reduce(c, v.op);
    if (role.leaf)
        bring_operands(c, &v, role.root, c->root);
    if (role.root) {
        fold_operands(c, &v);
        collective_need_peers(c);
    }
}

static void allreduce(struct collective *c, struct operands v)
{
    collective_reduce(c, v.op);
    bring_operands(c, &v, true, SLICE_FOR_ALL);
    fold_operands(c, &v);
    c->alike = true;
    collective_need_peers(c);
}

/* Member i of this group gets counts[i] elements, or v.count if there are no `counts`. */
static void reduce_scatter(struct collective *c, struct operands v, const MPI_Count *counts)
{
    struct operands whole = v, mine = v;
    whole.count = 0;
    for (int i = 0; i < c->comm->local->size; i++) {
        MPI_Count count = counts ? counts[i] : v.count;
        if (count < 0)
            collective_fail(c, MPI_ERR_COUNT, "a count is %lld", (long long)count);
        if (i == c->comm->rank) {
            mine.count = count;
            c->skip = whole.count;
        }
        whole.count += count;
    }
    collective_reduce(c, v.op);
    bring_operands(c, &whole, true, SLICE_FOR_ALL);
    fold_operands(c, &mine);
    c->length = whole.count;
    collective_need_peers(c);
}

/* Needs the members before this one, and itself if so said. */
static void scan_members(struct collective *c, struct operands v, bool inclusive)
{
    if (comm_is_inter(c->comm))
        collective_fail(c, MPI_ERR_COMM, "not on an intercommunicator");
    collective_reduce(c, v.op);
    bring_operands(c, &v, true, SLICE_FOR_ALL);
    fold_operands(c, &v);
    c->until = c->comm->rank + inclusive;
}

COLLECTIVE(Reduce, Ireduce,
           (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root,
            MPI_Comm comm),
           reduce_to_root(c, (struct operands){sendbuf, recvbuf, count, datatype, op}, root))

COLLECTIVE(Allreduce, Iallreduce,
           (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm),
           allreduce(c, (struct operands){sendbuf, recvbuf, count, datatype, op}))

COLLECTIVE(Reduce_scatter, Ireduce_scatter,
           (const void *sendbuf, void *recvbuf, const MPI_Count *recvcounts, MPI_Datatype datatype, MPI_Op op,
            MPI_Comm comm),
           reduce_scatter(c, (struct operands){sendbuf, recvbuf, 0, datatype, op}, recvcounts))

COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block,
           (const void *sendbuf, void *recvbuf, MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op,
            MPI_Comm comm),
           reduce_scatter(c, (struct operands){sendbuf, recvbuf, recvcount, datatype, op}, NULL))

COLLECTIVE(Scan, Iscan,
           (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm),
           scan_members(c, (struct operands){sendbuf, recvbuf, count, datatype, op}, true))

COLLECTIVE(Exscan, Iexscan,
           (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm),
           scan_members(c, (struct operands){sendbuf, recvbuf, count, datatype, op}, false))
