#include "shim/clock/comm.h"

#include <stdlib.h>
#include <string.h>

#include "shim/channel.h"
#include "shim/clock/clock.h"
#include "shim/core/error.h"
#include "shim/core/handle.h"
#include "shim/core/library_code.h"
#include "shim/objects/object.h"

enum { WORLD_CONTEXT = 1, SELF_CONTEXT = 2 }; /* the latter of rank 0; of rank r: r more */

static struct handle_map comms;      /* of struct comm, by the user's handle */
static struct handle_map by_context; /* the same, as long as something is pending */
static struct comm *last;            /* most calls use the communicator of the call before */
static MPI_Group world;
static MPI_Comm clocks;

MPI_Comm comm_of_clocks(void)
{
    return clocks;
}

struct comm *comm_find(MPI_Comm handle)
{
    if (last && last->handle == handle)
        return last;
    struct comm *c = handle_map_get(&comms, HANDLE_KEY(handle));
    return c ? last = c : NULL;
}

struct comm *comm_by_context(context_t context)
{
    if (last && last->context == context)
        return last;
    return handle_map_get(&by_context, context);
}

/* The last pending operation is not the last everywhere at the same time; neither library waits for the others here. */
void comm_drop(struct comm *c)
{
    if (--c->references)
        return;
    if (c->shadow != MPI_COMM_NULL)
        real_must(Comm_free, &c->shadow);
    if (c->handle != MPI_COMM_WORLD)
        real_must(Comm_free, &c->handle);
    handle_map_remove(&by_context, c->context);
    context_leave(c->context);
    if (last == c)
        last = NULL;
    free(c->local);
    free(c->remote);
    free(c);
}

static struct group *group_in_world(MPI_Group group)
{
    int size;
    real_must(Group_size, group, &size);
    struct group *g = group_new(size);
    int *position = shim_alloc(size * sizeof *position);
    for (int i = 0; i < size; i++)
        position[i] = i;
    real_must(Group_translate_ranks, group, size, position, world, g->rank);
    free(position);
    return g;
}

static struct group *take_group(MPI_Group group)
{
    struct group *g = group_in_world(group);
    real_must(Group_free, &group);
    return g;
}

static void announce_comm(const struct comm *c, context_t parent)
{
    if (c->local_first)
        context_announce(c->context, parent, c->local, c->remote);
    else
        context_announce(c->context, parent, c->remote, c->local);
}

static void post_comm_name(const struct comm *c, const char *name)
{
    struct op op = {.kind = OP_CONTEXT_NAME, .context = c->context};
    channel_post(&op, name, strnlen(name, MPI_MAX_OBJECT_NAME - 1) + 1);
}

static void read_groups(struct comm *c)
{
    MPI_Group group;
    int inter;
    real_must(Comm_group, c->handle, &group);
    c->local = take_group(group);
    real_must(Comm_test_inter, c->handle, &inter);
    if (inter) {
        real_must(Comm_remote_group, c->handle, &group);
        c->remote = take_group(group);
    }
    c->rank = group_index(c->local, shim.rank);
    c->local_first = !c->remote || c->local->rank[0] < c->remote->rank[0];
}

/* Not a duplicate: that would run the user's attribute callbacks. */
static void make_shadow(struct comm *c)
{
    real_must(Comm_split, c->handle, 0, c->rank, &c->shadow);
}

static void enter_comm(struct comm *c)
{
    if (c->shadow == MPI_COMM_NULL)
        make_shadow(c);
    real_must(Comm_set_errhandler, c->shadow, MPI_ERRORS_RETURN);
    handle_map_put(&comms, HANDLE_KEY(c->handle), c);
}

static struct comm *adopt_comm(MPI_Comm handle, MPI_Comm shadow)
{
    struct comm *c = shim_alloc(sizeof *c);
    *c = (struct comm){.handle = handle, .shadow = shadow, .references = 1};
    read_groups(c);
    enter_comm(c);
    return c;
}

static uint64_t derive(const struct comm *parent, uint64_t turn, const struct comm *c)
{
    uint64_t sum = causal_mix(parent->context, turn);
    return causal_mix(sum, (uint64_t)c->local->rank[0] + 1) | 1;
}

/*
 * A number that all members know.  Its first member has one that nobody else has; of an
 * intercommunicator, both groups have, and the two make one.
 */
static void agree_on_context(struct comm *c, const struct comm *parent, uint64_t turn)
{
    uint64_t mine = derive(parent, turn, c), other = 0;
    if (!c->remote) {
        real_must(Bcast, &mine, 1, MPI_UINT64_T, 0, c->shadow);
        c->context = mine;
        return;
    }
    real_must(Allreduce, &mine, &other, 1, MPI_UINT64_T, MPI_MAX, c->shadow);
    c->context = causal_mix(c->local_first ? mine : other, c->local_first ? other : mine);
}

void comm_made(const struct comm *parent, uint64_t turn, MPI_Comm handle, MPI_Comm shadow)
{
    struct comm *c = adopt_comm(handle, shadow);
    agree_on_context(c, parent, turn);
    handle_map_put(&by_context, c->context, c);
    object_made(OBJECT_COMM, HANDLE_KEY(handle));
    announce_comm(c, parent->context);
}

/* The program has no handle of it yet. */
struct comm *comm_expect(const struct comm *parent, MPI_Group group, int tag)
{
    if (parent->remote || group == MPI_GROUP_NULL)
        return NULL;
    struct comm *c = shim_alloc(sizeof *c);
    *c = (struct comm){.handle = MPI_COMM_WORLD, .shadow = MPI_COMM_NULL, .references = 1, .local_first = true};
    c->local = group_in_world(group);
    c->rank = group_index(c->local, shim.rank);
    if (c->rank < 0) {
        free(c->local);
        free(c);
        return NULL;
    }
    c->context = context_of_group(parent, c->local, tag);
    handle_map_put(&by_context, c->context, c);
    announce_comm(c, parent->context);
    return c;
}

void comm_arrived(struct comm *c, MPI_Comm handle)
{
    c->handle = handle;
    enter_comm(c);
    object_made(OBJECT_COMM, HANDLE_KEY(handle));
}

static void adopt_first(MPI_Comm handle, context_t context, const char *name)
{
    struct comm *c = adopt_comm(handle, MPI_COMM_NULL);
    c->context = context;
    handle_map_put(&by_context, context, c);
    announce_comm(c, 0);
    post_comm_name(c, name);
}

void comm_open(void)
{
    real_must(Comm_group, MPI_COMM_WORLD, &world);
    real_must(Comm_split, MPI_COMM_WORLD, 0, shim.rank, &clocks);
    real_must(Comm_set_errhandler, clocks, MPI_ERRORS_RETURN);
    clock_open(clocks);
    adopt_first(MPI_COMM_WORLD, WORLD_CONTEXT, "MPI_COMM_WORLD");
    adopt_first(MPI_COMM_SELF, SELF_CONTEXT + shim.rank, "MPI_COMM_SELF");
}

/* The library has finalised, and with it all its handles are gone. */
void comm_close(void)
{
    last = NULL;
}

int body_Comm_get_attr(MPI_Comm comm, int keyval, void *attribute, int *flag)
{
    shim.knows_tag_limit |= keyval == MPI_TAG_UB;
    return real.Comm_get_attr(comm, keyval, attribute, flag);
}

int body_Attr_get(MPI_Comm comm, int keyval, void *attribute, int *flag)
{
    return body_Comm_get_attr(comm, keyval, attribute, flag);
}

int body_Comm_set_name(MPI_Comm comm, const char *name)
{
    const struct comm *c = comm_find(comm);
    if (c && name)
        post_comm_name(c, name);
    return real.Comm_set_name(comm, name);
}

void comm_forget(MPI_Comm handle)
{
    object_freed(OBJECT_COMM, HANDLE_KEY(handle));
    handle_map_remove(&comms, HANDLE_KEY(handle));
    last = NULL;
}

struct comm *comm_self(void)
{
    return comm_find(MPI_COMM_SELF);
}
