/*
 * collective -- one description of a collective, and its three forms.
 *
 * A collective is a list of blocks that this member brings, each for one
 * position or for all, and a list of blocks that it takes from those it needs
 * (M5).  A reduction takes one block only, into which all that comes is folded.
 * What the blocks are is said once per collective (coll_move.c, coll_reduce.c,
 * coll_neighbour.c); blocking, non-blocking and persistent calls differ only in
 * when it is done.
 */
#ifndef SHIM_VIRTUAL_COLLECTIVE_H
#define SHIM_VIRTUAL_COLLECTIVE_H

#include "call/complaint.h"
#include "shim/comm.h"
#include "shim/objects/series.h"
#include "shim/objects/type.h"

/* A buffer argument, cut into blocks as the call's counts say. */
struct buffer_argument {
    void *buf;
    MPI_Count count;            /* of each block, if `counts` is NULL */
    const MPI_Count *counts;    /* of block i */
    MPI_Aint stride;            /* block i is i strides from `buf`, if `displs` is NULL */
    const MPI_Aint *displs;     /* block i is displs[i] extents from `buf` */
    MPI_Datatype type;
    const MPI_Datatype *types;  /* or, when each block has its own type, in bytes */
};

static inline struct buffer_argument even(const void *buf, MPI_Count count, MPI_Datatype type)
{
    return (struct buffer_argument){.buf = (void *)buf, .count = count, .stride = count, .type = type};
}

static inline struct buffer_argument varied(const void *buf, const MPI_Count *counts, const MPI_Aint *displs, MPI_Datatype type)
{
    return (struct buffer_argument){.buf = (void *)buf, .counts = counts, .displs = displs, .type = type};
}

static inline struct buffer_argument mixed(const void *buf, const MPI_Count *counts, const MPI_Aint *displs,
                                const MPI_Datatype *types)
{
    return (struct buffer_argument){
        .buf = (void *)buf, .counts = counts, .displs = displs, .type = MPI_DATATYPE_NULL, .types = types};
}

struct block {
    int32_t position;        /* whose it is, or SLICE_FOR_ALL */
    const struct type *type; /* held */
    void *buf;
    MPI_Count count;
};

struct blocks {
    struct block *block; /* owned, or `only` */
    uint32_t n;
    struct block only;   /* most have one */
};

struct collective {
    struct comm *comm;    /* NULL: the call did not name one */
    int error;            /* the first thing wrong with the arguments */
    char why[96];         /* the same in words */
    enum complaint kind;  /* what sort of mistake it is */
    bool apart;           /* blocks have types and addresses of their own */
    bool in_place;        /* what it brings lies where it takes */
    int root;             /* its position; -1: none */
    uint32_t from, until; /* positions that are needed, unless `listed` */
    bool listed;          /* needed are those of the blocks taken, as far as they are needed */
    struct blocks bring, take;
    uint32_t awaited;     /* so many blocks, the first of those taken, are of members that bring bytes */

    bool persistent;      /* then: */
    struct series series;

    bool folds;           /* a reduction: */
    MPI_Op op;            /* held */
    bool alike;           /* all members get the same result, */
    context_t context;    /* of this collective on this communicator */
    int32_t turn;
    MPI_Count skip;       /* what of each vector is folded begins here */
    MPI_Count length;     /* a vector has at most so many elements */
};

struct collective *collective_new(MPI_Comm);

/* The first counts. */
void collective_fail(struct collective *, int error_class, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Room for `n` blocks, then block `i` of a part, checked. */
void collective_reserve(struct blocks *, int n);
void collective_add(struct collective *, struct blocks *, const struct buffer_argument *, int i, int32_t position);

/* One block; or one to, or from, every peer. */
void collective_bring(struct collective *, struct buffer_argument, int i, int32_t position);
void collective_bring_each(struct collective *, struct buffer_argument);
void collective_take(struct collective *, struct buffer_argument, int i, int32_t position);
void collective_take_each(struct collective *, struct buffer_argument);
void collective_need_peers(struct collective *);

/*
 * In a rooted collective a member faces the root as one of many, or is the
 * root, or both, or (in the root's group of an intercommunicator) neither.
 */
struct role {
    bool root, leaf;
};
struct role collective_role(struct collective *, int root);

/* A reduction with this operator; the result goes to the first block of a part. */
void collective_reduce(struct collective *, MPI_Op);
void collective_fold(struct collective *, struct buffer_argument);

/* The forms.  Each takes the collective, raises its error, or does it. */
int collective_block(struct collective *);
int collective_start(struct collective *, MPI_Request *);
int collective_prepare(struct collective *, MPI_Request *);

/*
 * The bodies of X, IX and X_init.  PARAMETERS, in parentheses, are those of X;
 * DESCRIPTION uses them, and says of `c` what it brings and takes.
 */
#define COLLECTIVE(X, IX, PARAMETERS, DESCRIPTION)                                              \
    int body_##X(COLLECTIVE_LIST PARAMETERS)                                                    \
    {                                                                                           \
        COLLECTIVE_DO(DESCRIPTION, collective_block(c))                                         \
    }                                                                                           \
    int body_##IX(COLLECTIVE_LIST PARAMETERS, MPI_Request *request)                             \
    {                                                                                           \
        COLLECTIVE_DO(DESCRIPTION, collective_start(c, request))                                \
    }                                                                                           \
    int body_##X##_init(COLLECTIVE_LIST PARAMETERS, MPI_Info info, MPI_Request *request)        \
    {                                                                                           \
        (void)info;                                                                             \
        COLLECTIVE_DO(DESCRIPTION, collective_prepare(c, request))                              \
    }

#define COLLECTIVE_LIST(...) __VA_ARGS__
#define COLLECTIVE_DO(DESCRIPTION, FORM)             \
    struct collective *c = collective_new(comm);     \
    if (c->comm)                                     \
        DESCRIPTION;                                 \
    return FORM;

#endif
