/*
 * partitioned -- one message that is sent in parts, as they are ready (Partitioned Communication, P1 to P4).
 *
 * A send and a receive are paired by the order of their init calls, which each side can count alone: so every pair has two
 * contexts of its own.  In the first, each start of the send is a message with its shape, a standard send that the start
 * of the receive receives: so whoever waits for the send is held up exactly as long as MPI may let it wait for the receive.  In the
 * second, each part that is marked ready is a message, which is sent at once and complete at once, for what waiting
 * there may be is the start's.  Only when the shape has come does the receiver know how many parts there are, and asks for them.
 */
#ifndef SHIM_VIRTUAL_PARTITIONED_H
#define SHIM_VIRTUAL_PARTITIONED_H

#include "shim/objects/type.h"
#include "shim/request.h"

/* What the start of a send tells the receive. */
struct partition_shape {
    uint64_t partitions;
    uint64_t bytes; /* of one, packed */
};

/* The state of a request that MPI_Psend_init or MPI_Precv_init has made. */
struct partitioned {
    context_t starts, parts;
    bool leaves;           /* these contexts, when it is freed */
    int partitions;        /* of this side */
    MPI_Count count;       /* of elements in each */
    bool *over;            /* by partition, since it was started: it was marked ready, or it has arrived */
    int left;              /* how many are not over */
    struct request **lent; /* by partition: has its buffer as long as the program must leave it alone; or NULL */

    /* Of a send. */
    struct request *all_ready; /* a receive from this rank, posted when somebody asks and not all are ready; it is r->half; or NULL */

    /* Of a receive. */
    bool knows_shape;            /* some start of the other side has come, and they are all alike: */
    struct partition_shape sent; /* how the other side divides it */
    struct request **message;    /* by partition of the other side, a chain from r->half on; NULL: not posted in this start */
    char *packed;                /* the whole, as it comes */
};

/* A request of either side; errors come back raised. */
int partitioned_make(struct request **, const void *buf, int partitions, MPI_Count count, MPI_Datatype, int peer, int tag,
                     MPI_Comm, bool sends);

/* The buffer of one partition. */
void *partition_buffer(const struct request *, int partition);

/* From now on the program must not write there, or, of a receive, not use it at all; and no more. */
void partition_lend(struct request *, int partition);
void partition_return(struct request *, int partition);

/* A start begins: nothing is over.  When it is complete, what it has had is given back. */
void partitioned_begin(struct request *);
void partitioned_end(struct request *);

static inline uint64_t partition_bytes(const struct request *r)
{
    const struct partitioned *p = r->state;
    return type_bytes(type_find(r->datatype), p->count);
}

#endif
