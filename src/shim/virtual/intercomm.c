#include "shim/virtual/intercomm.h"

#include <stdlib.h>
#include <string.h>

#include "shim/bodies/p2p.h"
#include "shim/core/error.h"
#include "shim/virtual/agreement.h"
#include "shim/virtual/coll.h"

enum { BRIDGE = 2, BETWEEN = 3 }; /* beyond CONTEXT_SALTS */

static size_t side_bytes(int size)
{
    return sizeof(struct side) + size * sizeof(rank_t);
}

size_t side_most_bytes(void)
{
    return side_bytes(shim.size);
}

struct side *side_of(const struct comm *local, size_t *bytes)
{
    *bytes = side_bytes(local->local->size);
    struct side *ours = shim_alloc(*bytes);
    *ours = (struct side){local->context, local->turns, local->local->size};
    memcpy(ours->member, local->local->rank, local->local->size * sizeof *ours->member);
    return ours;
}

/* The leaders speak beside the user's own messages, on a context that belongs to the peer communicator. */
static struct side *swap_sides(struct comm *local, struct comm *peer, int leader, int tag, size_t *bytes)
{
    context_t bridge = context_derive(peer->context, 0, CONTEXT_SALTS + BRIDGE);
    context_announce(bridge, peer->context, peer->local_first ? peer->local : peer->remote,
                     peer->local_first ? peer->remote : peer->local);
    size_t our_bytes;
    struct side *ours = side_of(local, &our_bytes), *theirs = shim_alloc(side_most_bytes());
    p2p_exchange(peer, bridge, leader, tag, ours, our_bytes, theirs, side_most_bytes(), bytes);
    free(ours);
    return theirs;
}

static struct group *group_of(const struct side *side)
{
    struct group *g = group_new(side->size);
    memcpy(g->rank, side->member, side->size * sizeof *g->rank);
    return g;
}

static bool overlap(const struct group *a, const struct group *b)
{
    for (int i = 0; i < a->size; i++)
        if (group_index(b, a->rank[i]) >= 0)
            return true;
    return false;
}

static context_t context_between(const struct side *first, const struct side *second)
{
    return context_derive(context_derive(first->context, first->turn, CONTEXT_SALTS + BETWEEN), second->context,
                          second->turn);
}

/* `theirs` is known to all of the local side now.  The new one takes its first turn, in which both sides wait for all. */
static int meet_remote_group(struct comm *local, uint32_t turn, const struct side *theirs, MPI_Comm *newcomm)
{
    struct group *remote = group_of(theirs);
    int error = overlap(local->local, remote) ? error_raise(local, MPI_ERR_COMM) : comm_back(local, newcomm);
    if (error != MPI_SUCCESS) {
        free(remote);
        return error;
    }
    struct side ours = {local->context, turn, local->local->size};
    bool local_first = local->local->rank[0] < remote->rank[0];
    context_t context = local_first ? context_between(&ours, theirs) : context_between(theirs, &ours);
    coll_exchange(comm_new(local, context, group_copy(local->local), remote, *newcomm), NULL, 0, NULL);
    return MPI_SUCCESS;
}

static int check_leader(const struct comm *local, const struct comm *peer, int remote_leader, int tag)
{
    if (!peer)
        return error_raise(local, MPI_ERR_COMM);
    if (remote_leader < 0 || remote_leader >= comm_peers(peer)->size)
        return error_raise(peer, MPI_ERR_RANK);
    return error_raise(peer, tag < 0 ? MPI_ERR_TAG : MPI_SUCCESS);
}

int intercomm_check_root(const struct comm *local, int root)
{
    if (!local || comm_is_inter(local))
        return error_argument(local, MPI_ERR_COMM, "%s", local ? "it is an intercommunicator" : "it is no communicator");
    if (root < 0 || root >= local->local->size)
        return error_argument(local, MPI_ERR_ROOT, "the root is %d, of %d ranks", root, local->local->size);
    return MPI_SUCCESS;
}

int intercomm_join(struct comm *local, int leader, const struct side *heard, size_t bytes, int nothing, MPI_Comm *newcomm)
{
    uint32_t turn = local->turns;
    size_t *start = shim_alloc((local->local->size + 1) * sizeof *start);
    char *told = agree(local, heard, bytes, start);
    int error = start[leader + 1] - start[leader] < sizeof(struct side)
                    ? error_raise(local, nothing)
                    : meet_remote_group(local, turn, (struct side *)(told + start[leader]), newcomm);
    free(start);
    free(told);
    return error;
}

int intercomm_make(struct comm *local, int local_leader, struct comm *peer, int remote_leader, int tag, MPI_Comm *newcomm)
{
    struct side *heard = NULL;
    size_t bytes = 0;
    if (local->rank == local_leader)
        heard = swap_sides(local, peer, remote_leader, tag, &bytes);
    int error = intercomm_join(local, local_leader, heard, bytes, MPI_ERR_ARG, newcomm); /* they do not agree on the leader */
    free(heard);
    return error;
}

int body_Intercomm_create(MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm, int remote_leader, int tag,
                          MPI_Comm *newcomm)
{
    struct comm *local = comm_find(local_comm), *peer = NULL;
    if (!local || comm_is_inter(local))
        return error_raise(local, MPI_ERR_COMM);
    if (local_leader < 0 || local_leader >= local->local->size)
        return error_raise(local, MPI_ERR_RANK);
    if (local->rank == local_leader) {
        peer = comm_find(peer_comm);
        int error = check_leader(local, peer, remote_leader, tag);
        if (error != MPI_SUCCESS)
            return error;
    }
    return intercomm_make(local, local_leader, peer, remote_leader, tag, newcomm);
}

/* Whether all of the local group say the same. */
static bool unanimous(const struct comm *c, const int *high)
{
    const int *ours = high + comm_local_position(c, 0);
    for (int i = 1; i < c->local->size; i++)
        if (ours[i] != ours[0])
            return false;
    return true;
}

static struct group *concatenate(const struct group *low, const struct group *high)
{
    struct group *g = group_new(low->size + high->size);
    memcpy(g->rank, low->rank, low->size * sizeof *g->rank);
    memcpy(g->rank + low->size, high->rank, high->size * sizeof *g->rank);
    return g;
}

/* When both sides want to be low, or high, the order of positions decides. */
int body_Intercomm_merge(MPI_Comm intercomm, int high, MPI_Comm *newcomm)
{
    struct comm *old = comm_find(intercomm);
    if (!old || !comm_is_inter(old))
        return error_raise(old, MPI_ERR_COMM);
    int mine = high != 0, all[comm_members(old)];
    context_t context = context_derive(old->context, old->turns, 0);
    coll_exchange(old, &mine, sizeof mine, all);
    if (!unanimous(old, all))
        return error_raise(old, MPI_ERR_ARG);

    bool theirs = all[comm_peer_position(old, 0)];
    bool local_low = mine != theirs ? !mine : old->local_first;
    int error = comm_back(old, newcomm);
    if (error != MPI_SUCCESS)
        return error;
    struct group *g = local_low ? concatenate(old->local, old->remote) : concatenate(old->remote, old->local);
    comm_new(old, context, g, NULL, *newcomm);
    return MPI_SUCCESS;
}
