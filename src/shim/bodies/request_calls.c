/*
 * request_calls -- calls about one request or several: start, free, cancel; and those that the program makes itself.
 */
#include "shim/bodies/p2p.h"
#include "shim/bodies/requests.h"
#include "shim/bodies/send_buffer.h"
#include "shim/core/complaint.h"
#include "shim/core/error.h"
#include "shim/guard/guard.h"

int body_Start(MPI_Request *request)
{
    struct request *r = request_find(*request);
    bool gone = *request == MPI_REQUEST_NULL || request_is_stale(*request);
    if (!r && !gone && shim.job)
        return real.Start(request); /* a partitioned one, which is the library's there */
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
    request_tell_never_started(r);
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

int body_Request_free(MPI_Request *request)
{
    struct request *r = request_find(*request);
    if (!r && (*request == MPI_REQUEST_NULL || request_is_stale(*request)))
        return error_argument(NULL, MPI_ERR_REQUEST, "the request is null or was freed");
    if (!r)
        return real.Request_free(request);
    if (r->active && r->partitioned)
        return error_raise_for(r->comm, MPI_ERR_REQUEST, COMPLAINT_REQUEST_STATE,
                               "the partitioned request of %s is active", call_name(r->call));
    check_free(r);
    guard_over(r);
    *request = MPI_REQUEST_NULL;
    request_forget(r);
    return MPI_SUCCESS;
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
    if (r->partitioned)
        return error_raise_for(r->comm, MPI_ERR_REQUEST, COMPLAINT_REQUEST_STATE,
                               "the request of %s is partitioned, and such cannot be cancelled", call_name(r->call));
    if (r->mode & OPF_BUFFERED)
        send_buffer_cancel(r);
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
