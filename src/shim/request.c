#include "shim/request.h"

#include <string.h>

#include "call/sound.h"
#include "shim/buffered.h"
#include "shim/channel.h"
#include "shim/complain.h"
#include "shim/complete.h"
#include "shim/entry.h"
#include "shim/error.h"
#include "shim/guard.h"
#include "shim/handle.h"
#include "shim/library.h"
#include "shim/module.h"
#include "shim/object.h"
#include "shim/p2p.h"
#include "shim/type.h"

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

static struct request *make(void)
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
        entry_refuse_because("with more than 4194302 requests at a time");
    struct request *r = shim_alloc(sizeof *r);
    r->number = ++table.numbers;
    r->handle = MPI_REQUEST_NULL;
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

struct request *request_new(struct comm *comm)
{
    struct request *r = take_unused();
    if (!r)
        r = make();
    clear(r);
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
    if (r->discard)
        r->discard(r);
    if (r->datatype != MPI_DATATYPE_NULL)
        type_drop(r->datatype);
    comm_drop(r->comm);
    clear(r);
    give_back(r->number);
}

/* MPI lets wait for it before, but that makes sense only if it is started some time. */
static void tell_never_started(const struct request *r)
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
        tell_never_started(r);
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
    r->settled = false;
    r->error = MPI_SUCCESS;
    status_empty(&r->status);
}

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

void request_deliver(struct request *r, const struct completion *c)
{
    r->known = false;
    if (r->settled)
        return;
    r->complete = true;
    guard_check(r);
    if (c->flags & COMPLETION_CANCELLED)
        real_must(Status_set_cancelled, &r->status, 1);
    else if (r->finish)
        r->finish(r, c);
    if (r->orphan)
        request_delete(r);
}

void request_release(struct request *r)
{
    r->active = r->cancelled = false;
    guard_check(r);
    guard_over(r);
    if (!r->persistent)
        request_delete(r);
}

uint32_t request_blocking_flag(struct request *r)
{
    r->alone = !shim_has_threads();
    return r->alone ? OPF_BLOCKING : 0;
}

int request_finish_blocking(struct request *r, MPI_Status *status)
{
    if (!r->complete && r->alone)
        completions_take(channel_sleep());
    else if (!r->complete)
        complete_all(&r, 1);
    status_copy(status, &r->status);
    int rc = error_raise(r->comm, r->error);
    request_delete(r);
    return rc;
}

void request_tell_unstarted(const struct request *r, bool waited)
{
    struct op op = {.kind = OP_UNSTARTED, .flags = OPF_WENT_ON, .request = r->number, .waited = waited};
    channel_post(&op, NULL, 0);
}

int body_Start(MPI_Request *request)
{
    struct request *r = request_find(*request);
    if (!r)
        return error_argument(NULL, MPI_ERR_REQUEST, "the request is null or was freed");
    if (!r->persistent)
        return error_argument(r->comm, MPI_ERR_REQUEST, "the request of %s is not persistent", call_name(r->call));
    if (r->active)
        return error_raise_for(r->comm, MPI_ERR_REQUEST, COMPLAINT_REQUEST_STATE,
                               "the request of %s is active already", call_name(r->call));
    if (r->waited && !r->started)
        request_tell_unstarted(r, false);
    r->started = true;
    int rc = r->start(r);
    if (rc == MPI_SUCCESS)
        guard_begin(r);
    return rc;
}

int body_Startall(int count, MPI_Request requests[])
{
    for (int i = 0; i < count; i++) {
        int rc = body_Start(&requests[i]);
        if (rc != MPI_SUCCESS)
            return rc;
    }
    return MPI_SUCCESS;
}

/* Of a send of which the program does not know that it is complete, though tourney may have buffered it. */
static void note_send_freed(const struct request *r)
{
    bool sends = r->buffers == p2p_buffers && !r->finish;
    if (sends && !r->settled && !request_is_done(r) && r->count > 0)
        complain(COMPLAINT_SEND_FREED,
                 "MPI_Request_free of an active send of %s: only something else can tell when its buffer may be used again",
                 call_name(r->call));
}

/*
 * A cancelled request may be freed to complete it, and one that is known to be complete.  MPI forbids to free the request of a
 * collective, and only advises against that of a receive: its buffer may never be looked at.
 */
static void check_free(const struct request *r)
{
    tell_never_started(r);
    if (!r->active || r->cancelled)
        return;
    note_send_freed(r);
    if (r->complete)
        return;
    if (call_is_collective(r->call))
        complain(COMPLAINT_REQUEST_STATE, "MPI_Request_free of an active request of %s, a collective",
                 call_name(r->call));
    else if (r->finish)
        complain(COMPLAINT_RECEIVE_FREED,
                 "MPI_Request_free of an active receive of %s: nobody can know when it is complete",
                 call_name(r->call));
}

static void give_up(struct request *r)
{
    struct request *half = r->half;
    r->half = NULL;
    if (half)
        give_up(half);
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

void request_forget(struct request *r)
{
    give_up(r);
}

int body_Request_free(MPI_Request *request)
{
    struct request *r = request_find(*request);
    if (!r && (*request == MPI_REQUEST_NULL || request_is_stale(*request)))
        return error_argument(NULL, MPI_ERR_REQUEST, "the request is null or was freed");
    if (!r)
        return real.Request_free(request);
    check_free(r);
    guard_over(r);
    *request = MPI_REQUEST_NULL;
    give_up(r);
    return MPI_SUCCESS;
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

/* D3: a null request is an error. */
int body_Cancel(MPI_Request *request)
{
    struct request *r = request_find(*request);
    if (!r)
        return *request == MPI_REQUEST_NULL || request_is_stale(*request)
                   ? error_argument(NULL, MPI_ERR_REQUEST, "the request is null or was freed")
                   : real.Cancel(request);
    if (!r->active)
        return error_raise_for(r->comm, MPI_ERR_REQUEST, COMPLAINT_REQUEST_STATE, "the request of %s is not active",
                               call_name(r->call));
    if (r->mode & OPF_BUFFERED)
        buffered_cancel(r);
    request_cancel(r);
    return MPI_SUCCESS;
}

int body_Grequest_start(MPI_Grequest_query_function *query, MPI_Grequest_free_function *discard,
                        MPI_Grequest_cancel_function *cancel, void *state, MPI_Request *request)
{
    return real.Grequest_start(query, discard, cancel, state, request);
}

int body_Grequest_complete(MPI_Request request)
{
    return real.Grequest_complete(request);
}

/* Every request begins with one, so it is made once. */
void status_empty(MPI_Status *status)
{
    static MPI_Status empty;
    static bool made;
    if (!made) {
        status_set(&empty, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, false);
        empty.MPI_ERROR = MPI_SUCCESS;
        made = true;
    }
    *status = empty;
}

void status_null_peer(MPI_Status *status)
{
    status_set(status, MPI_PROC_NULL, MPI_ANY_TAG, 0, false);
}

void status_set(MPI_Status *status, int source, int tag, uint64_t bytes, bool cancelled)
{
    status->MPI_SOURCE = source;
    status->MPI_TAG = tag;
    real_must(Status_set_elements_x, status, MPI_BYTE, bytes);
    real_must(Status_set_cancelled, status, cancelled);
}

void status_tell(MPI_Status *status, int source, int tag, uint64_t bytes)
{
    MPI_Status told;
    if (status == MPI_STATUS_IGNORE)
        return;
    status_empty(&told);
    status_set(&told, source, tag, bytes, false);
    status_copy(status, &told);
}

void status_copy(MPI_Status *to, const MPI_Status *from)
{
    if (to == MPI_STATUS_IGNORE)
        return;
    int error = to->MPI_ERROR;
    *to = *from;
    to->MPI_ERROR = error;
}
