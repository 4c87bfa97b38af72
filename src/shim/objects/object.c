#include "shim/objects/object.h"

#include <inttypes.h>
#include <stdlib.h>

#include "shim/core/complaint.h"
#include "shim/core/module.h"

struct object {
    enum call call;
    const void *place;
    bool inside;      /* made by a shared library */
    bool uncommitted; /* a datatype */
    int shares;       /* how often it was handed out once more */
    enum call shared_call; /* the call that did so last */
    const void *shared_place; /* and here */
};

static struct handle_map objects[OBJECT_KINDS];
static struct handle_map gone[OBJECT_KINDS]; /* handles that were freed and not given out again */

static const struct {
    enum complaint complaint;
    const char *one, *many;
} kinds[] = {
    [OBJECT_COMM] = {COMPLAINT_COMM_LEAK, "communicator", "communicators"},
    [OBJECT_GROUP] = {COMPLAINT_GROUP_LEAK, "group", "groups"},
    [OBJECT_TYPE] = {COMPLAINT_TYPE_LEAK, "datatype", "datatypes"},
    [OBJECT_OP] = {COMPLAINT_OP_LEAK, "reduction operator", "reduction operators"},
    [OBJECT_ERRHANDLER] = {COMPLAINT_ERRHANDLER_LEAK, "error handler", "error handlers"},
    [OBJECT_INFO] = {COMPLAINT_INFO_LEAK, "info object", "info objects"},
    [OBJECT_KEYVAL] = {COMPLAINT_KEYVAL_LEAK, "attribute key", "attribute keys"},
    [OBJECT_FILE] = {COMPLAINT_FILE_LEAK, "file", "files"},
    [OBJECT_WINDOW] = {COMPLAINT_WINDOW_LEAK, "window", "windows"},
};

void object_made(enum object_kind kind, uint64_t key)
{
    struct object *o = handle_map_get(&objects[kind], key);
    if (!o) {
        o = shim_alloc(sizeof *o);
        handle_map_put(&objects[kind], key, o);
    }
    handle_map_remove(&gone[kind], key);
    *o = (struct object){.call = shim.call,
                         .place = shim.place,
                         .inside = module_kind_at(shim.place) != MODULE_PROGRAM,
                         .uncommitted = kind == OBJECT_TYPE};
}

void object_freed(enum object_kind kind, uint64_t key)
{
    struct object *o = handle_map_get(&objects[kind], key);
    if (o && o->shares) {
        o->shares--;
        o->call = o->shared_call;
        o->place = o->shared_place;
        return;
    }
    if (o && (kind == OBJECT_TYPE || kind == OBJECT_OP))
        handle_map_put(&gone[kind], key, &gone);
    free(o);
    handle_map_remove(&objects[kind], key);
}

bool object_is_freed(enum object_kind kind, uint64_t key)
{
    return handle_map_get(&gone[kind], key) != NULL;
}

/* Which of the handles, all alike, is freed first nobody can tell: those that are left are said to be these. */
void object_shared(enum object_kind kind, uint64_t key)
{
    struct object *o = handle_map_get(&objects[kind], key);
    if (!o) {
        object_made(kind, key);
        object_commit(key); /* MPI leaves open whether it is */
        return;
    }
    o->shares++;
    o->shared_call = shim.call;
    o->shared_place = shim.place;
}

void object_commit(uint64_t key)
{
    struct object *o = handle_map_get(&objects[OBJECT_TYPE], key);
    if (o)
        o->uncommitted = false;
}

bool object_is_committed(uint64_t key)
{
    const struct object *o = handle_map_get(&objects[OBJECT_TYPE], key);
    return !o || !o->uncommitted;
}

void object_tell_leaks(void)
{
    for (int kind = 0; kind < OBJECT_KINDS; kind++) {
        struct leaks leaks = {0};
        for (size_t i = 0; i < objects[kind].room; i++) {
            const struct object *o = objects[kind].slot[i].value;
            if (o && !o->inside)
                leaks_add(&leaks, kinds[kind].complaint, o->call, o->place);
            for (int share = 0; o && !o->inside && share < o->shares; share++)
                leaks_add(&leaks, kinds[kind].complaint, o->shared_call, o->shared_place);
        }
        leaks_tell(&leaks, kinds[kind].one, kinds[kind].many, kind == OBJECT_FILE ? "closed" : "freed");
    }
}

void leaks_add(struct leaks *leaks, int complaint, int call, const void *place)
{
    for (int i = 0; i < leaks->n; i++)
        if (leaks->at[i].complaint == complaint && leaks->at[i].call == call && leaks->at[i].place == place) {
            leaks->at[i].count++;
            return;
        }
    if (leaks->n == leaks->room) {
        leaks->room = leaks->room ? 2 * leaks->room : 16;
        leaks->at = shim_realloc(leaks->at, leaks->room * sizeof *leaks->at);
    }
    leaks->at[leaks->n++] = (struct leak){complaint, call, place, 1};
}

static int by_place(const void *a, const void *b)
{
    const struct leak *x = a, *y = b;
    return x->place != y->place ? (x->place > y->place) - (x->place < y->place) : x->complaint - y->complaint;
}

/* In an order that does not depend on handles, which may be addresses. */
void leaks_tell(struct leaks *leaks, const char *one, const char *many, const char *state)
{
    if (leaks->n)
        qsort(leaks->at, leaks->n, sizeof *leaks->at, by_place);
    for (int i = 0; i < leaks->n; i++) {
        const struct leak *leak = &leaks->at[i];
        complain_at(leak->complaint, leak->call, leak->place, leak->count, "%" PRId64 " %s made by %s %s not %s",
                    leak->count, leak->count == 1 ? one : many, call_name(leak->call),
                    leak->count == 1 ? "is" : "are", state);
    }
    free(leaks->at);
    *leaks = (struct leaks){0};
}
