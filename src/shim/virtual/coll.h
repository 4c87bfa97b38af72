/*
 * coll -- joining a collective: what a member brings, needs, and gets.
 *
 * All collectives are one primitive: bring slices of bytes, each for one
 * position or for all, wait for the members whose slices are needed (the data
 * flow, M5), get those.  Reductions are folded by whoever needs the result, in
 * rank order, with the real library's MPI_Reduce_local.
 */
#ifndef SHIM_VIRTUAL_COLL_H
#define SHIM_VIRTUAL_COLL_H

#include "shim/comm.h"
#include "shim/objects/series.h"
#include "shim/objects/type.h"
#include "shim/request.h"

struct collective_part {
    struct series *series;        /* of a persistent collective; NULL: it is the next of its communicator */
    int root;                     /* position of the root, for reports; -1: none */
    uint32_t from, until;         /* positions needed */
    const uint32_t *listed;       /* further positions that are needed */
    uint32_t nlisted;
    const uint32_t *idle;         /* and from these it takes nothing, so it does not wait for them */
    uint32_t nidle;
    const struct op_slice *slice; /* what this member brings */
    uint32_t slices;
    bool ordered;                 /* slice k is for position k */
    const uint64_t *take;         /* bytes of what it takes, as in struct op_coll */
    uint32_t takes;
    const struct type *taken;     /* NULL, for instance if what is taken or brought is of several types: then `types` */
    const uint64_t *types;        /* the signatures of these types, as in struct op_coll; or NULL */
    const struct type *brought;
    uint32_t reduction;           /* enum operator */
    MPI_Count count;              /* for reports: as the user gave it */
    const struct type *type;      /* may be NULL */
};

/*
 * Joins the next collective of the request's communicator, or of the series, and activates the
 * request.  Returns room for all slices' bytes, one after the other, to be
 * filled before coll_commit.  When the needed members have joined, the request's
 * `finish` gets the pieces by rising position, then the listed ones in their
 * order (a position listed k times gives its first k slices for us): one for
 * each that is needed, empty if there was no slice for us.
 */
void *coll_begin(struct request *, const struct collective_part *, bool blocking);
void coll_commit(void);

/* Takes a turn without waiting for anybody's data: what the init of a persistent collective does. */
void coll_pass(struct comm *, int root);

/*
 * Collective agreement among all members, blocking: every member's `bytes`
 * bytes, by position, into `all`.  Counts as one turn.  What communicator
 * constructors are made of.
 */
void coll_exchange(struct comm *, const void *mine, size_t bytes, void *all);

#endif
