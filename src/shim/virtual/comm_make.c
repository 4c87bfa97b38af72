#include "shim/virtual/comm_make.h"

#include <stdlib.h>

#include "shim/bodies/requests.h"
#include "shim/core/error.h"
#include "shim/library/library.h"
#include "shim/objects/info_value.h"
#include "shim/virtual/coll.h"
#include "shim/virtual/topology.h"
#include "shim/virtual/nodes.h"

struct color_and_key {
    int color, key;
    uint64_t group; /* a sum of the group that was named; 0: of none, or of an empty one */
};

struct split_candidate {
    int key, rank;
};

static int by_key(const void *a, const void *b)
{
    const struct split_candidate *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key) : x->rank - y->rank;
}

/* Those of a group who chose this colour. */
static struct group *of_color(const struct group *g, const struct color_and_key *choice, int color)
{
    struct split_candidate candidate[g->size];
    int n = 0;
    for (int i = 0; i < g->size; i++)
        if (choice[i].color == color)
            candidate[n++] = (struct split_candidate){choice[i].key, i};
    qsort(candidate, n, sizeof *candidate, by_key);
    struct group *chosen = group_new(n);
    for (int i = 0; i < n; i++)
        chosen->rank[i] = g->rank[candidate[i].rank];
    return chosen;
}

/* What all members choose, by position; to be freed. */
static struct color_and_key *choose(struct comm *old, struct color_and_key mine)
{
    struct color_and_key *all = shim_alloc(comm_members(old) * sizeof *all);
    coll_exchange(old, &mine, sizeof mine, all);
    return all;
}

/* Given what all chose, in the last turn. */
static int split(struct comm *old, const struct color_and_key *all, int color, MPI_Comm *newcomm)
{
    context_t context = context_derive(old->context, old->turns - 1, (uint32_t)color);
    struct group *local = of_color(old->local, all + comm_local_position(old, 0), color);
    struct group *remote = old->remote ? of_color(old->remote, all + comm_peer_position(old, 0), color) : NULL;
    *newcomm = MPI_COMM_NULL;
    int error = MPI_SUCCESS;
    bool wanted = color != MPI_UNDEFINED && (!remote || remote->size > 0);
    if (wanted && (error = comm_back(old, newcomm)) == MPI_SUCCESS) {
        comm_new(old, context, local, remote, *newcomm);
        return MPI_SUCCESS;
    }
    free(local);
    free(remote);
    return error;
}

int comm_split(struct comm *old, int color, int key, MPI_Comm *newcomm)
{
    struct color_and_key *all = choose(old, (struct color_and_key){color, key, 0});
    int error = split(old, all, color, newcomm);
    free(all);
    return error;
}

int body_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *newcomm)
{
    struct comm *old = comm_find(comm);
    if (!old)
        return error_raise(NULL, MPI_ERR_COMM);
    if (color < 0 && color != MPI_UNDEFINED)
        return error_raise(old, MPI_ERR_ARG);
    return comm_split(old, color, key, newcomm);
}

/*
 * A node of the virtual machine has no inner structure: its ranks share every kind of resource, and asked for the next
 * smaller one (MPI-4) there is none, but if it is memory that is asked for that is the node.  All members name the same type, so the node is enough of a colour.
 */
static int color_of_type(int split_type, MPI_Info info)
{
    const int *smaller = library_traits.hardware_split_type;
    bool guided = split_type == smaller[0] && !info_says(info, "mpi_hw_resource_type", "mpi_shared_memory");
    bool none = split_type == MPI_UNDEFINED || guided || split_type == smaller[1];
    return none ? MPI_UNDEFINED : node_of_rank(shim.rank);
}

static bool is_split_type(int split_type)
{
    return split_type == MPI_UNDEFINED ||
           (split_type >= MPI_COMM_TYPE_SHARED && split_type <= library_traits.last_split_type);
}

int body_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm)
{
    const struct comm *old = comm_find(comm);
    if (old && !is_split_type(split_type))
        return error_argument(old, MPI_ERR_ARG, "there is no split_type %d", split_type);
    return body_Comm_split(comm, color_of_type(split_type, info), key, newcomm);
}

static bool is_part_of_group(const struct group *part, const struct group *whole)
{
    for (int i = 0; i < part->size; i++)
        if (group_index(whole, part->rank[i]) < 0)
            return false;
    return true;
}

static uint64_t group_sum(const struct group *g)
{
    uint64_t sum = 0;
    for (int i = 0; i < g->size; i++)
        sum = context_derive(sum, (uint64_t)i, (uint64_t)g->rank[i]);
    return sum;
}

/* Everybody in a group that is named must name the same; the first that does not, or -1. */
static int who_differs(const struct comm *old, const struct group *g, const struct color_and_key *all, uint64_t sum)
{
    for (int i = 0; i < g->size; i++) {
        int rank = group_index(old->local, g->rank[i]);
        if (all[comm_local_position(old, rank)].group != sum)
            return rank;
    }
    return -1;
}

/*
 * A split in which a group is a colour.  On an intracommunicator, disjoint groups
 * may be made at once: their first members tell them apart.  The two sides of an
 * intercommunicator name different groups, one each.
 */
int body_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm)
{
    struct comm *old = comm_find(comm);
    const struct group *g = group_find(group);
    if (!old)
        return error_raise(NULL, MPI_ERR_COMM);
    if (!g || !is_part_of_group(g, old->local))
        return error_raise(old, MPI_ERR_GROUP);
    int index = group_index(g, shim.rank);
    int color = index < 0 ? MPI_UNDEFINED : comm_is_inter(old) ? 0 : g->rank[0];
    uint64_t sum = group_sum(g);
    struct color_and_key *all = choose(old, (struct color_and_key){color, index, sum});
    int other = who_differs(old, g, all, sum);
    int error = other < 0 ? split(old, all, color, newcomm)
                          : error_argument(old, MPI_ERR_GROUP, "rank %d is in the group and gives another group", other);
    free(all);
    return error;
}

/* The parent takes no turn, since not all of it is there: the new one takes its first. */
int body_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm)
{
    struct comm *old = comm_find(comm);
    const struct group *g = group_find(group);
    if (!old || comm_is_inter(old))
        return error_raise(old, MPI_ERR_COMM);
    if (!g || !is_part_of_group(g, old->local))
        return error_raise(old, MPI_ERR_GROUP);
    if (tag < 0)
        return error_raise(old, MPI_ERR_TAG);
    *newcomm = MPI_COMM_NULL;
    if (group_index(g, shim.rank) < 0)
        return MPI_SUCCESS;
    int error = comm_back(old, newcomm);
    if (error != MPI_SUCCESS)
        return error;
    struct comm *new = comm_new(old, context_of_group(old, g, tag), group_copy(g), NULL, *newcomm);
    coll_exchange(new, NULL, 0, NULL);
    return MPI_SUCCESS;
}

/* All members have come when the request is complete. */
static MPI_Request begin_meeting(struct comm *c)
{
    struct collective_part join = {.root = -1, .until = comm_members(c)};
    struct request *r = request_new(c);
    MPI_Request handle = request_handle(r);
    coll_begin(r, &join, false);
    coll_commit();
    return handle;
}

/*
 * Copy callbacks come before the agreement, as in both libraries: where one of
 * them fails on one rank only, the others wait in vain.
 */
static int duplicate(MPI_Comm comm, const MPI_Info *info, MPI_Comm *newcomm, MPI_Request *request)
{
    struct comm *old = comm_find(comm);
    if (!old)
        return error_raise(NULL, MPI_ERR_COMM);
    int error = comm_back_like(old, info, newcomm);
    if (error != MPI_SUCCESS)
        return error;
    context_t context = context_derive(old->context, old->turns, 0);
    if (request)
        *request = begin_meeting(old);
    else
        coll_exchange(old, NULL, 0, NULL);
    struct comm *new = comm_new(old, context, group_copy(old->local), group_copy(old->remote), *newcomm);
    topology_share(new, old);
    return MPI_SUCCESS;
}

int body_Comm_dup(MPI_Comm comm, MPI_Comm *newcomm)
{
    return duplicate(comm, NULL, newcomm, NULL);
}

int body_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm)
{
    return duplicate(comm, &info, newcomm, NULL);
}

int body_Comm_idup(MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request)
{
    return duplicate(comm, NULL, newcomm, request);
}

int body_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm, MPI_Request *request)
{
    return duplicate(comm, &info, newcomm, request);
}
