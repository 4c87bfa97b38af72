#include "shim/virtual/group_comm.h"

#include <stdlib.h>
#include <string.h>

#include "shim/core/error.h"
#include "shim/core/library_code.h"
#include "shim/objects/object.h"
#include "shim/virtual/coll.h"
#include "shim/virtual/intercomm.h"

enum { FROM_GROUP = 6, LOCAL_SIDE = 7, LEADERS = 8 }; /* beyond CONTEXT_SALTS */
enum { STRINGTAG_BYTES = 257 };                       /* at least, of MPI_MAX_STRINGTAG_LEN: with its end */

static context_t context_of_tag(const char *tag, uint64_t salt)
{
    context_t base = context_derive(0, 0, CONTEXT_SALTS + salt);
    for (size_t i = 0; tag[i]; i++)
        base = context_derive(base, i, (unsigned char)tag[i]);
    return base;
}

static int check_group_and_tag(const struct group *g, const char *tag)
{
    if (!g)
        return error_argument(NULL, MPI_ERR_GROUP, "the group is none, or was freed");
    if (g->size && group_index(g, shim.rank) < 0)
        return error_argument(NULL, MPI_ERR_GROUP, "this rank is not in the group");
    if (strlen(tag) >= STRINGTAG_BYTES)
        return error_argument(NULL, MPI_ERR_ARG, "the string is longer than MPI_MAX_STRINGTAG_LEN");
    return MPI_SUCCESS;
}

static int back_with_handler(MPI_Info info, MPI_Errhandler errhandler, MPI_Comm *handle)
{
    int rc = info == MPI_INFO_NULL ? real.Comm_dup(shim.self, handle) : real.Comm_dup_with_info(shim.self, info, handle);
    return rc == MPI_SUCCESS ? body_Comm_set_errhandler(*handle, errhandler) : error_raise(NULL, rc);
}

/* The program's own; or one that is gone when the call returns. */
static struct comm *make_of_group(const struct group *g, context_t base, MPI_Comm handle)
{
    struct comm *new = comm_new(NULL, context_of_members(base, g), group_copy(g), NULL, handle);
    coll_exchange(new, NULL, 0, NULL);
    return new;
}

int body_Comm_create_from_group(MPI_Group group, const char *stringtag, MPI_Info info, MPI_Errhandler errhandler,
                                MPI_Comm *newcomm)
{
    const struct group *g = group_find(group);
    int rc = check_group_and_tag(g, stringtag);
    *newcomm = MPI_COMM_NULL;
    if (rc != MPI_SUCCESS || g->size == 0)
        return rc;
    rc = back_with_handler(info, errhandler, newcomm);
    if (rc != MPI_SUCCESS)
        return rc;
    object_made(OBJECT_COMM, HANDLE_KEY(*newcomm));
    make_of_group(g, context_of_tag(stringtag, FROM_GROUP), *newcomm);
    return MPI_SUCCESS;
}

struct comm *join_leaders(rank_t ours, rank_t theirs, const char *tag, MPI_Comm handle)
{
    struct group *both = group_new(2);
    both->rank[0] = ours < theirs ? ours : theirs;
    both->rank[1] = ours < theirs ? theirs : ours;
    context_t context = context_of_members(context_of_tag(tag, LEADERS), both);
    return comm_new(NULL, context, both, NULL, handle);
}

static int check_leaders(const struct group *local, int local_leader, const struct group *remote, int remote_leader)
{
    if (local_leader < 0 || local_leader >= local->size)
        return error_argument(NULL, MPI_ERR_RANK, "the local leader is %d, of %d ranks", local_leader, local->size);
    if (local->rank[local_leader] != shim.rank)
        return MPI_SUCCESS;
    if (!remote)
        return error_argument(NULL, MPI_ERR_GROUP, "the remote group is none, or was freed");
    if (remote_leader < 0 || remote_leader >= remote->size)
        return error_argument(NULL, MPI_ERR_RANK, "the remote leader is %d, of %d ranks", remote_leader, remote->size);
    if (group_index(remote, shim.rank) >= 0)
        return error_argument(NULL, MPI_ERR_GROUP, "this rank is in both groups");
    return MPI_SUCCESS;
}

static int meet_as_groups(const struct group *local, int local_leader, const struct group *remote, int remote_leader,
                          const char *tag, MPI_Comm handle, MPI_Comm *newcomm)
{
    struct comm *side = make_of_group(local, context_of_tag(tag, LOCAL_SIDE), handle), *leaders = NULL;
    MPI_Comm handle_of_leaders = MPI_COMM_NULL;
    int rc = MPI_SUCCESS, index = 0;
    if (side->rank == local_leader) {
        rank_t other = remote->rank[remote_leader];
        rc = comm_back(side, &handle_of_leaders);
        if (rc != MPI_SUCCESS)
            return rc;
        leaders = join_leaders(shim.rank, other, tag, handle_of_leaders);
        index = group_index(leaders->local, other);
    }
    rc = intercomm_make(side, local_leader, leaders, index, 0, newcomm);
    if (leaders && rc == MPI_SUCCESS)
        rc = body_Comm_free(&handle_of_leaders);
    return rc;
}

int body_Intercomm_create_from_groups(MPI_Group local_group, int local_leader, MPI_Group remote_group, int remote_leader,
                                      const char *stringtag, MPI_Info info, MPI_Errhandler errhandler, MPI_Comm *newcomm)
{
    const struct group *local = group_find(local_group), *remote = group_find(remote_group);
    MPI_Comm handle;
    int rc = check_group_and_tag(local, stringtag);
    *newcomm = MPI_COMM_NULL;
    if (rc == MPI_SUCCESS)
        rc = check_leaders(local, local_leader, remote, remote_leader);
    if (rc == MPI_SUCCESS)
        rc = back_with_handler(info, errhandler, &handle);
    if (rc == MPI_SUCCESS)
        rc = meet_as_groups(local, local_leader, remote, remote_leader, stringtag, handle, newcomm);
    return rc == MPI_SUCCESS ? body_Comm_free(&handle) : rc;
}
