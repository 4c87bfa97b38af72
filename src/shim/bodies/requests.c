#include "shim/bodies/requests.h"

#include <string.h>

#include "call/sound.h"
#include "shim/channel.h"
#include "shim/core/complaint.h"
#include "shim/core/handle.h"
#include "shim/core/library_code.h"
#include "shim/core/module.h"
#include "shim/core/refusal.h"
#include "shim/guard/guard.h"
#include "shim/objects/object.h"
#include "shim/objects/status.h"
#include "shim/objects/type.h"

/*
 * Backing handles are generalized requests of the real library that are never
 * completed before the end.  A request that is over leaves its number and its handle to
 * the next one.  The lowest number is given out first, so that ranks whose requests were
 * over in different orders become the same again.
 */
static struct {
    struct request **numbered; /* by number; 0 is nobody's */
    uint32_t numbers, room;    /* room is a multiple of 64 */
    uint64_t *unused;          /* a bit for each number */
    uint32_t first;            /* the first word of `unused` that is not zero, or behind the last */
    struct handle_map by_handle;
} table;

static int query_nothing(void *state, MPI_Status *status)
{
    (void)state;
    status_empty(status);
    return MPI_SUCCESS;
}

static int free_nothing(void *state)
{
    (void)state;
    return MPI_SUCCESS;
}

static int cancel_nothing(void *state, int complete)
{
    (void)state, (void)complete;
    return MPI_SUCCESS;
}

/* Nothing is left of what it was, not even in its padding. */
static void clear(struct request *r)
{
    uint32_t number = r->number;
    MPI_Request handle = r->handle;
    memset(r, 0, sizeof *r);
    r->number = number;
    r->handle = handle;
    r->datatype = MPI_DATATYPE_NULL;
}

static struct request *make_request(void)
{
    if (table.numbers + 1 >= table.room) {
        uint32_t words = table.room / 64;
        table.room = table.room ? 2 * table.room : 64;
        table.numbered = shim_realloc(table.numbered, table.room * sizeof *table.numbered);
        table.unused = shim_realloc(table.unused, table.room / 8);
        memset(table.unused + words, 0, table.room / 8 - words * sizeof *table.unused);
        table.first = table.room / 64;
    }
    if (table.numbers + 1 >= OP_MOST_REQUESTS)
        refuse_because("with more than 4194302 requests at a time");
    struct request *r = shim_alloc(sizeof *r);
    r->number = ++table.numbers;
    r->handle = MPI_REQUEST_NULL;
    clear(r);
    table.numbered[r->number] = r;
    return r;
}

static void seek_first(void)
{
    while (table.first < table.room / 64 && table.unused[table.first] == 0)
        table.first++;
}

static struct request *take_unused(void)
{
    if (table.first == table.room / 64)
        return NULL;
    uint64_t *word = &table.unused[table.first];
    uint32_t number = 64 * table.first + __builtin_ctzll(*word);
    *word &= *word - 1;
    seek_first();
    return table.numbered[number];
}

uint32_t request_next_number(void)
{
    return table.first < table.room / 64 ? 64 * table.first + __builtin_ctzll(table.unused[table.first])
                                         : table.numbers + 1;
}

static void give_back(uint32_t number)
{
    table.unused[number / 64] |= UINT64_C(1) << number % 64;
    if (number / 64 < table.first)
        table.first = number / 64;
}

struct request *request_new(struct comm *comm)
{
    struct request *r = take_unused();
    if (!r)
        r = make_request();
    r->call = shim.call;
    r->comm = comm;
    comm_hold(comm);
    return r;
}

MPI_Request request_handle(struct request *r)
{
    if (r->handle == MPI_REQUEST_NULL) {
        real_must(Grequest_start, query_nothing, free_nothing, cancel_nothing, NULL, &r->handle);
        handle_map_put(&table.by_handle, HANDLE_KEY(r->handle), r);
    }
    r->visible = true;
    r->made = shim.place;
    if (r->active)
        guard_begin(r);
    return r->handle;
}

struct request *request_find(MPI_Request handle)
{
    if (handle == MPI_REQUEST_NULL)
        return NULL;
    struct request *r = handle_map_get(&table.by_handle, HANDLE_KEY(handle));
    return r && r->visible && !r->orphan ? r : NULL;
}

bool request_is_stale(MPI_Request handle)
{
    const struct request *r = handle_map_get(&table.by_handle, HANDLE_KEY(handle));
    return r && (!r->visible || r->orphan);
}

struct request *request_by_number(uint32_t number)
{
    return table.numbered[number];
}

void request_delete(struct request *r)
{
    if (r->half)
        request_delete(r->half);
    guard_over(r);
    if (r->also)
        r->also->also = NULL;
    if (r->discard)
        r->discard(r);
    if (r->datatype != MPI_DATATYPE_NULL)
        type_drop(r->datatype);
    comm_drop(r->comm);
    clear(r);
    give_back(r->number);
}

/* MPI lets wait for it before, but that makes sense only if it is started some time. */
void request_tell_never_started(const struct request *r)
{
    if (r->waited && !r->started)
        complain_at(COMPLAINT_REQUEST_NEVER_STARTED, r->waited_in, r->waited, 1,
                    "%s waits for a persistent request of %s that is never started", call_name(r->waited_in),
                    call_name(r->call));
}

/*
 * Of those that a library made only the active ones are noted: then communication is not
 * over.  A request that was cancelled ought to be completed, too, but nothing comes of it.
 */
static void add_leak(struct leaks *active, struct leaks *cancelled, struct leaks *kept, const struct request *r)
{
    bool inside = module_kind_at(r->made) != MODULE_PROGRAM;
    if (r->active && !r->cancelled)
        leaks_add(active, inside ? COMPLAINT_REQUEST_LEAK_INSIDE : COMPLAINT_REQUEST_LEAK, r->call, r->made);
    else if (!inside)
        leaks_add(r->active ? cancelled : kept, COMPLAINT_REQUEST_KEPT, r->call, r->made);
}

void request_tell_leaks(void)
{
    static const char completed[] = "waited for, tested to completion or freed";
    struct leaks active = {0}, cancelled = {0}, kept = {0};
    for (uint32_t i = 1; i <= table.numbers; i++) {
        const struct request *r = table.numbered[i];
        if (!r->visible || r->orphan)
            continue;
        request_tell_never_started(r);
        add_leak(&active, &cancelled, &kept, r);
    }
    leaks_tell(&active, "request", "requests", completed);
    leaks_tell(&cancelled, "cancelled request", "cancelled requests", completed);
    leaks_tell(&kept, "persistent request", "persistent requests", "freed");
}

void request_close(void)
{
    for (uint32_t i = 1; i <= table.numbers; i++) {
        struct request *r = table.numbered[i];
        if (r->visible || r->handle == MPI_REQUEST_NULL)
            continue;
        real_must(Grequest_complete, r->handle);
        real_must(Request_free, &r->handle);
    }
}

void request_activate(struct request *r, bool known, bool complete)
{
    r->active = true;
    r->known = known;
    r->complete = complete;
    r->settled = r->deniable = r->sure = false;
    r->error = MPI_SUCCESS;
    status_empty(&r->status);
}

size_t request_parts;

bool request_is_done(const struct request *r)
{
    return r->complete && !r->known && (!r->half || request_is_done(r->half));
}

/* It is named by the call that made it, and at its place. */
void request_settle(struct request *r)
{
    struct op op = {.kind = OP_DONE,
                    .call = r->call,
                    .flags = OPF_WENT_ON,
                    .request = r->number,
                    .peer = RANK_NONE,
                    .place = (uintptr_t)r->made};
    r->known = r->settled = true;
    channel_post(&op, NULL, 0);
}

void request_settle_deniably(struct request *r)
{
    request_settle(r);
    r->deniable = true;
}

void request_make_certain(struct request *r)
{
    r->deniable = false;
}

void request_deliver(struct request *r, const struct completion *c)
{
    r->known = r->deniable = false;
    if (r->settled)
        return;
    r->complete = true;
    guard_check(r);
    if (c->flags & COMPLETION_CANCELLED) {
        real_must(Status_set_cancelled, &r->status, 1);
    } else if (r->finish) {
        shim.has_news |= shim.has_windows && !r->silent;
        r->finish(r, c);
    }
    if (r->orphan)
        request_delete(r);
}

void request_release(struct request *r)
{
    r->active = r->cancelled = false;
    guard_check(r);
    guard_over(r);
    if (r->released)
        r->released(r);
    if (!r->persistent)
        request_delete(r);
}

void request_tell_unstarted(const struct request *r, bool waited)
{
    struct op op = {.kind = OP_UNSTARTED, .flags = OPF_WENT_ON, .request = r->number, .waited = waited};
    channel_post(&op, NULL, 0);
}

void request_forget(struct request *r)
{
    struct request *half = r->half;
    r->half = NULL;
    if (half)
        request_forget(half);
    if (r->known) {
        struct op op = {.kind = OP_FREE, .request = r->number, .flags = OPF_WENT_ON};
        channel_post(&op, NULL, 0);
    }
    if (r->active && !r->complete) {
        r->orphan = true; /* tourney still delivers it, with some later answer */
        r->persistent = false;
    } else {
        request_delete(r);
    }
}

/* Even of one that needed nothing any more it is open again what becomes of it. */
void request_cancel(struct request *r)
{
    r->cancelled = true;
    if (!r->known || r->settled)
        return;
    r->complete = false;
    struct op op = {.kind = OP_CANCEL, .request = r->number, .flags = OPF_WENT_ON};
    channel_post(&op, NULL, 0);
}
