/*
 * collective_call -- collectives of the real library, and what goes along with them on the shadow.
 *
 * A second, small collective of the same data flow (M5) carries clocks, and sums of what all
 * members have to agree on: a broadcast that of the root, a reduction the largest to the
 * root, a scan that of lower ranks, all-to-all forms the largest to all.  It comes first, so
 * that a disagreement is written down even if the library does not survive it.
 */
#ifndef SHIM_CLOCK_COLLECTIVE_CALL_H
#define SHIM_CLOCK_COLLECTIVE_CALL_H

#include "shim/clock/flight.h"

/* One call; the generated wrappers fill it in. */
struct collective_call {
    MPI_Comm comm;
    int root; /* as given; -1: there is none */
    MPI_Op op;
    bool blocking, persistent;
    bool of_group;   /* MPI_Comm_create_group: */
    MPI_Group group; /* a communicator of these alone */
    int tag;         /* the tag with which it is made */
    struct {
        MPI_Count count; /* -1: it is not there, or differs from member to member */
        MPI_Datatype type;
    } data[2]; /* what is brought, and what is taken; or one for both */
    const void *counts;        /* how many are taken, if that differs from member to member; numbers of `width` bytes */
    size_t width;
    const MPI_Datatype *types; /* of which types, if these differ */
    MPI_Datatype type;         /* of which type, else */

    struct comm *on;         /* found by collective_call_begin */
    uint64_t index;          /* of the operation */
    struct request *request; /* not blocking */
    struct clock_exchange *exchange;
    MPI_Comm *copy;          /* MPI_Comm_idup: where it is made */
};

/* Before the call.  False: the communicator is unknown here; the call is the library's alone. */
bool collective_call_begin(struct collective_call *);

/* After it, with what it returned; one of these. */
int collective_call_end(struct collective_call *, int rc);
int collective_call_made(struct collective_call *, int rc, MPI_Comm *newcomm);
int collective_call_started(struct collective_call *, int rc, MPI_Request *);
int collective_call_prepared(struct collective_call *, int rc, MPI_Request *);

/* The call also makes a communicator, when its request is complete. */
void collective_call_copies(struct collective_call *, MPI_Comm *newcomm);

#endif
