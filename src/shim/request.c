#include "shim/request.h"

#include <stdlib.h>

#include "shim/channel.h"
#include "shim/complete.h"
#include "shim/error.h"
#include "shim/handle.h"
#include "shim/type.h"

/*
 * Backing handles are generalized requests of the real library that are never
 * completed before the end; they are kept and given out again.
 */
static struct {
    struct request **numbered; /* by number; 0 is nobody's */
    uint32_t numbers, room;
    struct request *unused;    /* keep their number */
    struct handle_map by_handle;
    MPI_Request *spare;        /* handles */
    int spares, spare_room;
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
        table.room = table.room ? 2 * table.room : 64;
        table.numbered = shim_realloc(table.numbered, table.room * sizeof *table.numbered);
    }
    struct request *r = shim_alloc(sizeof *r);
    r->number = ++table.numbers;
    table.numbered[r->number] = r;
    return r;
}

struct request *request_new(struct comm *comm)
{
    struct request *r = table.unused;
    if (r)
        table.unused = r->next_free;
    else
        r = make();
    *r = (struct request){.number = r->number,
                          .handle = MPI_REQUEST_NULL,
                          .datatype = MPI_DATATYPE_NULL,
                          .call = shim.call,
                          .comm = comm};
    comm_hold(comm);
    return r;
}

MPI_Request request_handle(struct request *r)
{
    if (r->handle != MPI_REQUEST_NULL)
        return r->handle;
    if (table.spares)
        r->handle = table.spare[--table.spares];
    else
        real.Grequest_start(query_nothing, free_nothing, cancel_nothing, NULL, &r->handle);
    handle_map_put(&table.by_handle, HANDLE_KEY(r->handle), r);
    return r->handle;
}

static void give_back_handle(MPI_Request handle)
{
    handle_map_remove(&table.by_handle, HANDLE_KEY(handle));
    if (table.spares == table.spare_room) {
        table.spare_room = table.spare_room ? 2 * table.spare_room : 64;
        table.spare = shim_realloc(table.spare, table.spare_room * sizeof *table.spare);
    }
    table.spare[table.spares++] = handle;
}

struct request *request_find(MPI_Request handle)
{
    return handle == MPI_REQUEST_NULL ? NULL : handle_map_get(&table.by_handle, HANDLE_KEY(handle));
}

struct request *request_by_number(uint32_t number)
{
    return table.numbered[number];
}

void request_delete(struct request *r)
{
    if (r->discard)
        r->discard(r);
    if (r->handle != MPI_REQUEST_NULL)
        give_back_handle(r->handle);
    if (r->datatype != MPI_DATATYPE_NULL)
        type_drop(r->datatype);
    comm_drop(r->comm);
    r->next_free = table.unused;
    table.unused = r;
}

void request_close(void)
{
    while (table.spares) {
        MPI_Request handle = table.spare[--table.spares];
        real.Grequest_complete(handle);
        real.Request_free(&handle);
    }
}

void request_activate(struct request *r, bool known, bool complete)
{
    r->active = true;
    r->known = known;
    r->complete = complete;
    r->error = MPI_SUCCESS;
    status_empty(&r->status);
}

void request_deliver(struct request *r, const struct completion *c)
{
    r->known = false;
    r->complete = true;
    if (c->flags & COMPLETION_CANCELLED)
        real.Status_set_cancelled(&r->status, 1);
    else if (r->finish)
        r->finish(r, c);
    if (r->orphan)
        request_delete(r);
}

void request_release(struct request *r)
{
    r->active = false;
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

int body_Start(MPI_Request *request)
{
    struct request *r = request_find(*request);
    if (!r || !r->persistent || r->active)
        return error_raise(r ? r->comm : NULL, MPI_ERR_REQUEST);
    return r->start(r);
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

int body_Request_free(MPI_Request *request)
{
    struct request *r = request_find(*request);
    if (!r)
        return real.Request_free(request);
    *request = MPI_REQUEST_NULL;
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
    return MPI_SUCCESS;
}

int body_Cancel(MPI_Request *request)
{
    struct request *r = request_find(*request);
    if (!r)
        return *request == MPI_REQUEST_NULL ? error_raise(NULL, MPI_ERR_REQUEST) : real.Cancel(request);
    if (!r->active)
        return error_raise(r->comm, MPI_ERR_REQUEST);
    if (r->known && !r->complete) {
        struct op op = {.kind = OP_CANCEL, .request = r->number, .flags = OPF_WENT_ON};
        channel_post(&op, NULL, 0);
    }
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

void status_empty(MPI_Status *status)
{
    status_set(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, false);
    status->MPI_ERROR = MPI_SUCCESS;
}

void status_null_peer(MPI_Status *status)
{
    status_set(status, MPI_PROC_NULL, MPI_ANY_TAG, 0, false);
}

void status_set(MPI_Status *status, int source, int tag, uint64_t bytes, bool cancelled)
{
    status->MPI_SOURCE = source;
    status->MPI_TAG = tag;
    real.Status_set_elements_x(status, MPI_BYTE, bytes);
    real.Status_set_cancelled(status, cancelled);
}

void status_copy(MPI_Status *to, const MPI_Status *from)
{
    if (to == MPI_STATUS_IGNORE)
        return;
    int error = to->MPI_ERROR;
    *to = *from;
    to->MPI_ERROR = error;
}
