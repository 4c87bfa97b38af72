/*
 * Who is in a communicator, and how that is told: the same for ranks that tourney
 * serves and for those of a real job.
 */
#include <string.h>

#include "shim/channel.h"
#include "shim/comm.h"
#include "shim/core/handle.h"

enum { SPLIT_GROUP = 1 }; /* beyond CONTEXT_SALTS */

struct group *group_new(int size)
{
    struct group *g = shim_alloc(sizeof *g + size * sizeof *g->rank);
    g->session = 0;
    g->size = size;
    return g;
}

/* Nearly all groups are the world or an even part of it: look in the natural place first. */
int group_index(const struct group *g, rank_t rank)
{
    if (rank >= 0 && rank < g->size && g->rank[rank] == rank)
        return rank;
    for (int i = 0; i < g->size; i++)
        if (g->rank[i] == rank)
            return i;
    return -1;
}

const char *comm_what_is_wrong(MPI_Comm handle)
{
    if (handle == MPI_COMM_NULL)
        return "the communicator is MPI_COMM_NULL";
    if (handle == MPI_COMM_WORLD || handle == MPI_COMM_SELF)
        return "MPI_COMM_WORLD and MPI_COMM_SELF are there only between MPI_Init and MPI_Finalize";
    return "the communicator was freed, or never was one";
}

void comm_hold(struct comm *c)
{
    c->references++;
}

int comm_members(const struct comm *c)
{
    return c->local->size + (c->remote ? c->remote->size : 0);
}

int comm_local_position(const struct comm *c, int rank)
{
    return c->local_first ? rank : c->remote->size + rank;
}

int comm_peer_position(const struct comm *c, int rank)
{
    return c->remote && c->local_first ? c->local->size + rank : rank;
}

int comm_peer_of_world(const struct comm *c, rank_t rank)
{
    return group_index(comm_peers(c), rank);
}

/* The finaliser of splitmix64: every bit of the input moves about half of the output. */
static uint64_t mix_bits(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

context_t context_derive(context_t parent, uint64_t turn, uint64_t salt)
{
    const uint64_t step = UINT64_C(0x9e3779b97f4a7c15);
    context_t context = mix_bits(mix_bits(mix_bits(parent + step) + turn + step) + salt + step);
    return context ? context : step;
}

context_t context_of_group(const struct comm *old, const struct group *g, int tag)
{
    return context_of_members(context_derive(old->context, tag, CONTEXT_SALTS + SPLIT_GROUP), g);
}

/* The same group may be named again: count. */
context_t context_of_members(context_t base, const struct group *g)
{
    static struct handle_map births;
    for (int i = 0; i < g->size; i++)
        base = context_derive(base, i, g->rank[i]);
    uintptr_t born = (uintptr_t)handle_map_get(&births, base) + 1;
    handle_map_put(&births, base, (void *)born);
    return context_derive(base, born, 0);
}

void context_announce(context_t context, context_t parent, const struct group *first, const struct group *second)
{
    int more = second ? second->size : 0, members = first->size + more;
    struct op op = {.kind = OP_CONTEXT, .context = context};
    struct op_group *group = channel_begin(&op, sizeof *group + members * sizeof *group->member);
    *group = (struct op_group){.parent = parent, .members = members, .first_group = first->size};
    memcpy(group->member, first->rank, first->size * sizeof *group->member);
    if (second)
        memcpy(group->member + first->size, second->rank, more * sizeof *group->member);
    channel_commit();
}

void context_announce_name(context_t context, const struct comm *comm)
{
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    struct op op = {.kind = OP_CONTEXT_NAME, .context = context};
    if (real.Comm_get_name(comm->handle, name, &length) == MPI_SUCCESS && length > 0)
        channel_post(&op, name, (size_t)length + 1);
}

void context_leave(context_t context)
{
    struct op op = {.kind = OP_CONTEXT_LEFT, .flags = OPF_WENT_ON, .context = context};
    channel_post(&op, NULL, 0);
}
