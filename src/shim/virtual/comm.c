#include "shim/comm.h"

#include <stdlib.h>
#include <string.h>

#include "shim/channel.h"
#include "shim/core/error.h"
#include "shim/core/library_code.h"
#include "shim/objects/object.h"
#include "shim/virtual/birth.h"
#include "shim/virtual/topology.h"

enum { WORLD_CONTEXT = 1, SELF_CONTEXT = 2 }; /* the latter of rank 0; of rank r: r more */

static struct handle_map comms; /* of struct comm, by the user's handle */
static struct comm *last;       /* most calls use the communicator of the call before */

struct comm *comm_find(MPI_Comm handle)
{
    if (last && last->handle == handle)
        return last;
    struct comm *c = handle_map_get(&comms, HANDLE_KEY(handle));
    return c ? last = c : NULL;
}

static void discard_comm(struct comm *c)
{
    topology_drop(c);
    free(c->local);
    free(c->remote);
    free(c);
}

static void forget_comm(MPI_Comm handle)
{
    handle_map_remove(&comms, HANDLE_KEY(handle));
    last = NULL;
}

void comm_drop(struct comm *c)
{
    if (--c->references)
        return;
    if (c->handle != MPI_COMM_NULL) {
        forget_comm(c->handle);
        real_must(Comm_free, &c->handle);
    }
    context_leave(c->context);
    discard_comm(c);
}

void comm_announce_name(const struct comm *c, const char *name)
{
    struct op op = {.kind = OP_CONTEXT_NAME, .context = c->context};
    channel_post(&op, name, strnlen(name, MPI_MAX_OBJECT_NAME - 1) + 1);
}

/*
 * While the library runs the user's callbacks its errors come back here: they are
 * ours to raise, so that tourney hears of the fatal ones.
 */
static MPI_Errhandler hush(MPI_Comm handle)
{
    MPI_Errhandler handler;
    real_must(Comm_get_errhandler, handle, &handler);
    real_must(Comm_set_errhandler, handle, MPI_ERRORS_RETURN);
    return handler;
}

static void restore(MPI_Comm handle, MPI_Errhandler handler)
{
    if (handle != MPI_COMM_NULL)
        real_must(Comm_set_errhandler, handle, handler);
}

int comm_back(const struct comm *old, MPI_Comm *handle)
{
    MPI_Errhandler handler;
    int error = real.Comm_dup(shim.self, handle);
    if (error != MPI_SUCCESS)
        return error_raise(old, error);
    real_must(Comm_get_errhandler, old->handle, &handler);
    real_must(Comm_set_errhandler, *handle, handler);
    real_must(Errhandler_free, &handler);
    return MPI_SUCCESS;
}

int comm_back_like(const struct comm *old, const MPI_Info *info, MPI_Comm *handle)
{
    MPI_Errhandler handler = hush(old->handle);
    *handle = MPI_COMM_NULL;
    int error = info ? real.Comm_dup_with_info(old->handle, *info, handle) : real.Comm_dup(old->handle, handle);
    restore(old->handle, handler);
    if (error == MPI_SUCCESS)
        restore(*handle, handler);
    real_must(Errhandler_free, &handler);
    return error_raise(old, error);
}

struct comm *comm_new(const struct comm *parent, context_t context, struct group *local, struct group *remote,
                      MPI_Comm handle)
{
    struct comm *c = shim_alloc(sizeof *c);
    if (parent)
        local->session = parent->local->session;
    *c = (struct comm){
        .handle = handle,
        .context = context,
        .references = 1,
        .rank = group_index(local, shim.rank),
        .local = local,
        .remote = remote,
        .local_first = !remote || local->rank[0] < remote->rank[0],
    };
    handle_map_put(&comms, HANDLE_KEY(handle), c);
    if (parent)
        object_made(OBJECT_COMM, HANDLE_KEY(handle));
    context_announce(context, parent ? parent->context : 0, c->local_first ? local : remote,
                     c->local_first ? remote : local);
    return c;
}

static struct comm *world, *myself; /* MPI_COMM_WORLD, MPI_COMM_SELF */

/* The first MPI_COMM_WORLD, or that of those who were started together. */
static struct group *everybody(void)
{
    const struct birth *birth = birth_of_rank();
    struct group *g = group_new(birth ? (int)birth->siblings : channel_head()->first_ranks);
    for (int i = 0; i < g->size; i++)
        g->rank[i] = birth ? birth_siblings(birth)[i] : i;
    return g;
}

void comm_open(void)
{
    struct group *alone = group_new(1);
    alone->rank[0] = shim.rank;
    context_t context = birth_of_rank() ? birth_world_context() : WORLD_CONTEXT;
    world = comm_new(NULL, context, everybody(), NULL, MPI_COMM_WORLD);
    comm_announce_name(world, "MPI_COMM_WORLD");
    myself = comm_new(NULL, SELF_CONTEXT + shim.rank, alone, NULL, MPI_COMM_SELF);
    comm_announce_name(myself, "MPI_COMM_SELF");
    comm_show_world(false);
}

void comm_show_world(bool shown)
{
    forget_comm(MPI_COMM_WORLD);
    forget_comm(MPI_COMM_SELF);
    if (!shown)
        return;
    handle_map_put(&comms, HANDLE_KEY(MPI_COMM_WORLD), world);
    handle_map_put(&comms, HANDLE_KEY(MPI_COMM_SELF), myself);
}

const struct group *comm_world_group(void)
{
    return world->local;
}

struct comm *comm_self(void)
{
    return myself;
}

/* The library drops its own handles when it finalises. */
void comm_close(void)
{
    for (size_t i = 0; i < comms.room; i++)
        if (comms.slot[i].value)
            discard_comm(comms.slot[i].value);
    free(comms.slot);
    comms = (struct handle_map){0};
    last = NULL;
}

/*
 * Attributes go when the user frees, the rest with the last pending operation.
 * Delete callbacks are given the handle and may use it, so first the library frees
 * it, then we forget it.  What is still pending goes on with a stand-in, since
 * errors are raised on a handle.
 */
static int free_comm_of_user(MPI_Comm *handle)
{
    struct comm *c = comm_find(*handle);
    if (!c)
        return error_argument(NULL, MPI_ERR_COMM, "%s", comm_what_is_wrong(*handle));
    if (*handle == MPI_COMM_WORLD || *handle == MPI_COMM_SELF)
        return error_argument(c, MPI_ERR_COMM, "MPI_COMM_WORLD and MPI_COMM_SELF cannot be freed");
    MPI_Comm gone = c->handle, stand_in = MPI_COMM_NULL;
    int error = c->references > 1 ? comm_back(c, &stand_in) : MPI_SUCCESS;
    if (error != MPI_SUCCESS)
        return error;

    MPI_Errhandler handler = hush(gone);
    error = real.Comm_free(&gone);
    restore(gone, handler);
    real_must(Errhandler_free, &handler);
    if (error != MPI_SUCCESS) {
        if (stand_in != MPI_COMM_NULL)
            real_must(Comm_free, &stand_in);
        return error_raise(c, error);
    }
    object_freed(OBJECT_COMM, HANDLE_KEY(c->handle));
    birth_forget_parents(c->handle);
    forget_comm(c->handle);
    c->handle = stand_in;
    comm_drop(c);
    *handle = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

/* Collective by name only: no data flows, so nobody waits (M5). */
int body_Comm_free(MPI_Comm *comm)
{
    return free_comm_of_user(comm);
}

/* Waits until nothing on it is pending any more: that is when all have come. */
int body_Comm_disconnect(MPI_Comm *comm)
{
    bool allowed = *comm != MPI_COMM_WORLD && *comm != MPI_COMM_SELF;
    int rc = allowed ? body_Barrier(*comm) : MPI_SUCCESS;
    return rc == MPI_SUCCESS ? free_comm_of_user(comm) : rc;
}

int body_Comm_rank(MPI_Comm comm, int *rank)
{
    const struct comm *c = comm_find(comm);
    if (!c)
        return error_argument(NULL, MPI_ERR_COMM, "%s", comm_what_is_wrong(comm));
    *rank = c->rank;
    return MPI_SUCCESS;
}

int body_Comm_size(MPI_Comm comm, int *size)
{
    const struct comm *c = comm_find(comm);
    if (!c)
        return error_argument(NULL, MPI_ERR_COMM, "%s", comm_what_is_wrong(comm));
    *size = c->local->size;
    return MPI_SUCCESS;
}

int body_Comm_remote_size(MPI_Comm comm, int *size)
{
    const struct comm *c = comm_find(comm);
    if (!c || !c->remote)
        return error_raise(c, MPI_ERR_COMM);
    *size = c->remote->size;
    return MPI_SUCCESS;
}

int body_Comm_group(MPI_Comm comm, MPI_Group *group)
{
    const struct comm *c = comm_find(comm);
    if (!c)
        return error_argument(NULL, MPI_ERR_COMM, "%s", comm_what_is_wrong(comm));
    *group = group_handle(group_copy(c->local));
    return MPI_SUCCESS;
}

int body_Comm_remote_group(MPI_Comm comm, MPI_Group *group)
{
    const struct comm *c = comm_find(comm);
    if (!c || !c->remote)
        return error_raise(c, MPI_ERR_COMM);
    *group = group_handle(group_copy(c->remote));
    return MPI_SUCCESS;
}

int body_Comm_test_inter(MPI_Comm comm, int *flag)
{
    const struct comm *c = comm_find(comm);
    if (!c)
        return error_argument(NULL, MPI_ERR_COMM, "%s", comm_what_is_wrong(comm));
    *flag = comm_is_inter(c);
    return MPI_SUCCESS;
}

static int compare_comms(const struct comm *a, const struct comm *b)
{
    if (a == b)
        return MPI_IDENT;
    if (comm_is_inter(a) != comm_is_inter(b))
        return MPI_UNEQUAL;
    int local = group_compare(a->local, b->local);
    int remote = a->remote ? group_compare(a->remote, b->remote) : MPI_IDENT;
    if (local == MPI_UNEQUAL || remote == MPI_UNEQUAL)
        return MPI_UNEQUAL;
    return local == MPI_IDENT && remote == MPI_IDENT ? MPI_CONGRUENT : MPI_SIMILAR;
}

int body_Comm_compare(MPI_Comm comm1, MPI_Comm comm2, int *result)
{
    const struct comm *a = comm_find(comm1), *b = comm_find(comm2);
    if (!a || !b)
        return error_raise(NULL, MPI_ERR_COMM);
    *result = compare_comms(a, b);
    return MPI_SUCCESS;
}

int body_Comm_set_name(MPI_Comm comm, const char *name)
{
    const struct comm *c = comm_find(comm);
    if (!c || !name)
        return error_raise(c, c ? MPI_ERR_ARG : MPI_ERR_COMM);
    comm_announce_name(c, name);
    return real.Comm_set_name(comm, name);
}
