/*
 * probe -- looking at messages before receiving them.
 *
 * A matched probe leaves the message with a request, which the user holds as an
 * MPI_Message: a real one backs it (message.h).
 */
#include "shim/bodies/probe.h"

#include "shim/bodies/completion.h"
#include "shim/bodies/entry.h"
#include "shim/bodies/message.h"
#include "shim/bodies/p2p.h"
#include "shim/bodies/requests.h"
#include "shim/channel.h"
#include "shim/core/complaint.h"
#include "shim/core/error.h"
#include "shim/core/handle.h"
#include "shim/core/module.h"
#include "shim/guard/guard.h"
#include "shim/objects/object.h"
#include "shim/objects/status.h"
#include "shim/objects/type.h"
#include "shim/rest.h"
#include "shim/turns.h"

static struct handle_map messages; /* of struct request */

static MPI_Message message_handle(struct request *r)
{
    MPI_Message message = message_back(r);
    handle_map_put(&messages, HANDLE_KEY(message), r);
    return message;
}

static struct request *message_take(MPI_Message *message)
{
    struct request *r = handle_map_get(&messages, HANDLE_KEY(*message));
    if (r) {
        handle_map_remove(&messages, HANDLE_KEY(*message));
        message_release(r, message);
    }
    return r;
}

void probe_tell_leaks(void)
{
    struct leaks leaks = {0};
    for (size_t i = 0; i < messages.room; i++) {
        const struct request *r = messages.slot[i].value;
        if (r && module_kind_at(r->made) == MODULE_PROGRAM)
            leaks_add(&leaks, COMPLAINT_MESSAGE_KEPT, r->call, r->made);
    }
    leaks_tell(&leaks, "MPI_Message", "MPI_Messages", "received");
}

static void probe_status(MPI_Status *status, const struct envelope *e, const struct answer *answer)
{
    const struct completion *c = answer_completions(answer);
    status_tell(status, comm_peer_of_world(e->comm, c->source), c->tag, c->bytes);
}

static void null_status(MPI_Status *status)
{
    MPI_Status seen;
    status_empty(&seen);
    status_null_peer(&seen);
    status_copy(status, &seen);
}

/* How it is asked whether there is a message. */
enum probe_way {
    PROBE_ONCE,
    PROBE_PATIENTLY, /* once, by a thread that will ask again until there is */
    PROBE_ASLEEP,
};

static struct op probe_op(const struct envelope *e, enum probe_way way, bool take)
{
    static const uint32_t flags[] = {[PROBE_ONCE] = 0, [PROBE_PATIENTLY] = OPF_EITHER, [PROBE_ASLEEP] = OPF_BLOCKING};
    return (struct op){.kind = way == PROBE_ASLEEP ? OP_PROBE : OP_IPROBE,
                       .flags = flags[way] | (take ? OPF_TAKE : 0),
                       .peer = p2p_world_rank(e->comm, e->peer),
                       .tag = e->tag == MPI_ANY_TAG ? TAG_ANY : e->tag,
                       .context = e->comm->context};
}

/*
 * All four probes.  With `message` it is taken: it waits with tourney under a
 * request, until MPI_Mrecv asks for it.
 */
static int probe_for_message(enum probe_way way, int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message,
                             MPI_Status *status)
{
    struct envelope e;
    int rc = p2p_check_envelope(&e, comm, source, tag, false);
    if (rc != MPI_SUCCESS)
        return rc;
    *flag = source == MPI_PROC_NULL;
    if (*flag) {
        null_status(status);
        if (message)
            *message = MPI_MESSAGE_NO_PROC;
        return MPI_SUCCESS;
    }
    bool blocking = way == PROBE_ASLEEP;
    struct op op = probe_op(&e, way, message != NULL);
    uint64_t key = channel_poll_key(&op, NULL, 0);
    if (!blocking && channel_poll_is_no(key))
        return MPI_SUCCESS;
    struct request *r = message ? request_new(e.comm) : NULL;
    op.request = r ? r->number : 0;
    channel_post(&op, NULL, 0);
    if (blocking)
        status_forget(status);
    const struct answer *answer = blocking ? channel_sleep() : channel_sleep_polling(key);
    *flag = blocking || answer->flag;
    shim.has_news |= shim.has_windows && *flag;
    if (*flag)
        probe_status(status, &e, answer);
    if (*flag && !message && shim_has_threads())
        shim_saw_message(op.context, answer_completions(answer)->source, answer_completions(answer)->tag);
    if (*flag && r) {
        request_activate(r, true, false);
        r->made = shim.place;
        *message = message_handle(r);
    } else if (r) {
        request_delete(r);
    }
    return MPI_SUCCESS;
}

/* False: no other thread will do anything before there is. */
static bool look_again(void)
{
    if (turns_are_taken()) {
        turns_probe_beside();
        return turns_yield();
    }
    rest_until_news(NULL, 0);
    return true;
}

/* Until there is something to see; by polling, while other threads are about. */
static int look_until(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status)
{
    int flag = 0;
    enum probe_way way = turns_are_taken() ? PROBE_PATIENTLY : PROBE_ONCE;
    for (bool others = true; others && shim_has_threads(); others = look_again()) {
        int rc = probe_for_message(way, source, tag, comm, &flag, message, status);
        if (rc != MPI_SUCCESS || flag)
            return rc;
    }
    return probe_for_message(PROBE_ASLEEP, source, tag, comm, &flag, message, status);
}

int body_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    return look_until(source, tag, comm, NULL, status);
}

int body_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
    return probe_for_message(PROBE_ONCE, source, tag, comm, flag, NULL, status);
}

int body_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status)
{
    return look_until(source, tag, comm, message, status);
}

int body_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status)
{
    return probe_for_message(PROBE_ONCE, source, tag, comm, flag, message, status);
}

/* Only now is it received (M6), and as what.  With MPI_PROC_NULL there is no message. */
static void tell_received(const struct request *r)
{
    const struct type *type = type_find(r->datatype);
    struct op op = {.kind = OP_TAKEN,
                    .flags = OPF_WENT_ON,
                    .request = r->number,
                    .bytes = type_bytes(type, r->count),
                    .count = r->count,
                    .type = type->number,
                    .signature = type->signature};
    if (r->known)
        channel_post(&op, NULL, 0);
}

/* Turns a taken message into an ordinary receive that is already matched. */
static int mrecv_make(struct request **made, void *buf, MPI_Count count, MPI_Datatype datatype,
                      MPI_Message *message)
{
    struct request *r;
    if (*message == MPI_MESSAGE_NO_PROC) {
        r = request_new(comm_self());
        request_activate(r, false, true);
        r->peer = MPI_PROC_NULL;
        status_null_peer(&r->status);
        *message = MPI_MESSAGE_NULL;
    } else {
        r = message_take(message);
    }
    if (!r)
        return error_raise(NULL, MPI_ERR_REQUEST);
    int rc = p2p_check_buffer(r->comm, buf, count, datatype);
    if (rc != MPI_SUCCESS)
        return rc;
    p2p_check_memory(r->peer, buf, count, datatype, true);
    r->buf = buf;
    r->count = count;
    r->datatype = type_hold(datatype);
    r->finish = p2p_recv_finish;
    r->buffers = p2p_buffers;
    r->call = shim.call;
    *made = r;
    tell_received(r);
    return MPI_SUCCESS;
}

int body_Mrecv(void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Message *message, MPI_Status *status)
{
    struct request *r;
    int rc = mrecv_make(&r, buf, count, datatype, message);
    if (rc != MPI_SUCCESS)
        return rc;
    guard_compare(r);
    status_forget(status);
    complete_all(&r, 1);
    return complete_blocking(r, status);
}

int body_Imrecv(void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Message *message, MPI_Request *request)
{
    struct request *r;
    int rc = mrecv_make(&r, buf, count, datatype, message);
    if (rc == MPI_SUCCESS)
        *request = request_handle(r);
    return rc;
}
