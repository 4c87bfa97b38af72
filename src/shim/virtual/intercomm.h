/*
 * intercomm -- intercommunicators, made of two groups that meet through their leaders.
 */
#ifndef SHIM_VIRTUAL_INTERCOMM_H
#define SHIM_VIRTUAL_INTERCOMM_H

#include "shim/comm.h"

/* What a leader tells the other of its side.  Context and turn occur only once in a run. */
struct side {
    context_t context;
    uint32_t turn;
    int32_t size;
    rank_t member[];
};

struct side *side_of(const struct comm *local, size_t *bytes); /* to be freed */
size_t side_most_bytes(void);

/* Of a call that makes one with whom only its root knows: that it is an intracommunicator, and has that root.  Errors come back raised. */
int intercomm_check_root(const struct comm *local, int root);

/*
 * The leader tells the local side what it has heard of the other one, and both meet.  `nothing`: the error class for all of them if it has
 * heard nothing.  Errors come back raised.
 */
int intercomm_join(struct comm *local, int leader, const struct side *heard, size_t bytes, int nothing, MPI_Comm *newcomm);

/* `peer`, in which the leaders reach each other, is known to the leader alone.  Errors come back raised. */
int intercomm_make(struct comm *local, int local_leader, struct comm *peer, int remote_leader, int tag, MPI_Comm *newcomm);

#endif
