#include "shim/bodies/p2p.h"

#include "shim/bodies/completion.h"
#include "shim/bodies/entry.h"
#include "shim/bodies/requests.h"
#include "shim/bodies/send_buffer.h"
#include "shim/channel.h"
#include "shim/core/complaint.h"
#include "shim/core/error.h"
#include "shim/core/library_code.h"
#include "shim/core/module.h"
#include "shim/guard/bounds.h"
#include "shim/guard/guard.h"
#include "shim/objects/object.h"
#include "shim/objects/status.h"
#include "shim/objects/type.h"
#include "shim/turns.h"

enum { LEAST_TAG_LIMIT = 32767 }; /* of any MPI library */

static int tag_limit(void)
{
    static int limit;
    if (!limit) {
        int *value, flag;
        real_must(Comm_get_attr, MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag);
        limit = flag ? *value : 32767;
    }
    return limit;
}

int p2p_check_envelope(struct envelope *e, MPI_Comm comm, int peer, int tag, bool sending)
{
    e->comm = comm_find(comm);
    e->peer = peer;
    e->tag = tag;
    if (!e->comm)
        return error_argument(NULL, MPI_ERR_COMM, "%s", comm_what_is_wrong(comm));
    bool any = !sending && peer == MPI_ANY_SOURCE;
    if (peer != MPI_PROC_NULL && !any && (peer < 0 || peer >= comm_peers(e->comm)->size))
        return error_argument(e->comm, MPI_ERR_RANK, "the %s is %d, of %d ranks", sending ? "destination" : "source",
                              peer, comm_peers(e->comm)->size);
    if (!(tag == MPI_ANY_TAG && !sending) && (tag < 0 || tag > tag_limit()))
        return error_argument(e->comm, MPI_ERR_TAG, "the tag is %d; they go from 0 to %d", tag, tag_limit());
    if (tag > LEAST_TAG_LIMIT && !shim.knows_tag_limit && !shim.bound)
        complain(COMPLAINT_PORTABILITY, "%s has the tag %d; not every MPI library has tags above %d (MPI_TAG_UB)",
                 call_name(shim.call), tag, LEAST_TAG_LIMIT);
    return MPI_SUCCESS;
}

int p2p_check_buffer(const struct comm *comm, const void *buf, MPI_Count count, MPI_Datatype datatype)
{
    if (count < 0)
        return error_argument(comm, MPI_ERR_COUNT, "the count is %lld", (long long)count);
    if (datatype == MPI_DATATYPE_NULL)
        return error_argument(comm, MPI_ERR_TYPE, "the datatype is MPI_DATATYPE_NULL");
    if (object_is_freed(OBJECT_TYPE, HANDLE_KEY(datatype)))
        return error_argument(comm, MPI_ERR_TYPE, "the datatype was freed");
    const struct type *type = type_find(datatype);
    if (!type)
        return error_argument(comm, MPI_ERR_TYPE, "the datatype is none");
    if (!type_is_committed(type))
        return error_argument(comm, MPI_ERR_TYPE, "the datatype is not committed");
    if (type_is_nowhere(type, buf, count))
        return error_argument(comm, MPI_ERR_BUFFER, "the buffer is null and the count %lld", (long long)count);
    return MPI_SUCCESS;
}

void p2p_check_memory(int peer, const void *buf, MPI_Count count, MPI_Datatype datatype, bool filled)
{
    const struct type *type = type_find(datatype);
    if (peer == MPI_PROC_NULL)
        return;
    if (filled && type_overlaps_itself(type, count))
        complain(COMPLAINT_RECEIVE_OVERLAP, "%s: entries of the receive buffer overlap", call_name(shim.call));
    bounds_check(buf, count, type, bounds_span(buf, count, type), filled);
}

rank_t p2p_world_rank(const struct comm *comm, int peer)
{
    return peer == MPI_ANY_SOURCE ? RANK_ANY : comm_peers(comm)->rank[peer];
}

bool p2p_completes_at_once(uint32_t mode, uint64_t bytes)
{
    return !(mode & OPF_SYNCHRONOUS) && bytes < channel_head()->slack;
}

static bool can_be_lent(const struct request *r, const struct type *type)
{
    return type->contiguous && !r->apart;
}

static struct op transfer_op(enum op_kind kind, const struct comm *comm, int peer, int tag, MPI_Count count,
                             const struct type *type)
{
    return (struct op){.kind = kind,
                       .peer = p2p_world_rank(comm, peer),
                       .tag = tag == MPI_ANY_TAG ? TAG_ANY : tag,
                       .context = comm->context,
                       .bytes = type_bytes(type, count),
                       .count = count,
                       .type = type->number,
                       .signature = type->signature};
}

static struct op transfer_of_request(enum op_kind kind, const struct request *r, const struct type *type,
                                     uint32_t flags)
{
    struct op op = transfer_op(kind, r->comm, r->peer, r->tag, r->count, type);
    op.call = r->call; /* also when MPI_Start makes it */
    op.flags = flags | r->mode;
    op.request = flags & OPF_WENT_ON ? 0 : r->number;
    return op;
}

void p2p_post_packed(struct op *op, const void *buf, MPI_Count count, const struct type *type)
{
    if (op->bytes > WIRE_INLINE) {
        op->payload = arena_room(op->bytes);
        type_pack(buf, count, type, arena_at(op->payload));
        channel_begin(op, 0);
    } else {
        type_pack(buf, count, type, channel_begin(op, op->bytes));
    }
    channel_commit();
}

static void post_send_op(const struct request *r, const struct type *type, uint32_t flags)
{
    struct op op = transfer_of_request(OP_SEND, r, type, flags);
    if (r->mode & OPF_ATTACHED)
        op.buffer = send_buffer_number(r->comm);
    if (!can_be_lent(r, type) || !channel_post_lent(&op, r->buf))
        p2p_post_packed(&op, r->buf, r->count, type);
}

/* The message of a buffered send is one of its own; the program's request is complete. */
static int send_buffered(struct request *r, const struct type *type)
{
    uint64_t bytes = type_bytes(type, r->count);
    int rc = send_buffer_check(r->comm, bytes);
    if (rc != MPI_SUCCESS)
        return rc;
    struct request *copy = request_new(r->comm);
    copy->call = r->call;
    copy->buf = r->buf;
    copy->count = r->count;
    copy->datatype = type_hold(r->datatype);
    copy->peer = r->peer;
    copy->tag = r->tag;
    copy->apart = true;
    copy->mode = OPF_ATTACHED;
    request_activate(copy, true, p2p_completes_at_once(0, bytes));
    post_send_op(copy, type, 0);
    send_buffer_keep(copy, r, bytes);
    request_activate(r, false, true);
    return MPI_SUCCESS;
}

/*
 * Posts the send that the request describes.  A blocking one that completes at
 * once leaves no request with tourney; other sends stay known until waited for.
 */
static int send_start(struct request *r, bool blocking)
{
    if (r->peer == MPI_PROC_NULL) {
        request_activate(r, false, true);
        return MPI_SUCCESS;
    }
    const struct type *type = type_find(r->datatype);
    if (r->mode & OPF_BUFFERED)
        return send_buffered(r, type);
    /* Where threads take turns it is asked for: with less slack this thread would wait, and no other with it. */
    bool at_once = p2p_completes_at_once(r->mode, type_bytes(type, r->count)), complete = at_once && !turns_are_taken();
    uint32_t flags = !blocking ? 0 : complete ? OPF_BLOCKING | OPF_WENT_ON : completion_blocking_flag(r);
    request_activate(r, !(blocking && complete), complete);
    r->sure = at_once;
    post_send_op(r, type, flags);
    return MPI_SUCCESS;
}

static int send_again(struct request *r)
{
    return send_start(r, false);
}

/* Takes the message that tourney delivers for a receive. */
void p2p_recv_finish(struct request *r, const struct completion *c)
{
    const struct type *type = type_find(r->datatype);
    uint64_t room = type_bytes(type, r->count), bytes = c->bytes;
    if (bytes > room) {
        r->error = MPI_ERR_TRUNCATE;
        bytes = room;
    }
    if (!r->lent)
        type_unpack(arena_at(c->payload), bytes, r->buf, r->count, type);
    status_set(&r->status, comm_peer_of_world(r->comm, c->source), c->tag, bytes, false);
}

static int recv_start(struct request *r, bool blocking)
{
    if (r->peer == MPI_PROC_NULL) {
        request_activate(r, false, true);
        status_null_peer(&r->status);
        return MPI_SUCCESS;
    }
    const struct type *type = type_find(r->datatype);
    request_activate(r, true, false);
    struct op op = transfer_of_request(OP_RECV, r, type, blocking ? completion_blocking_flag(r) : 0);
    r->lent = can_be_lent(r, type) && channel_post_lent(&op, r->buf);
    if (!r->lent)
        channel_post(&op, NULL, 0);
    return MPI_SUCCESS;
}

static int recv_again(struct request *r)
{
    return recv_start(r, false);
}

/* With MPI_PROC_NULL nothing happens to it. */
void p2p_buffers(struct request *r, request_buffer *see)
{
    if (r->peer != MPI_PROC_NULL)
        see(r, r->buf, r->count, r->datatype, r->finish != NULL);
}

static struct request *new_request(const struct envelope *e, const void *buf, MPI_Count count,
                                   MPI_Datatype datatype)
{
    struct request *r = request_new(e->comm);
    r->buf = (void *)buf;
    r->count = count;
    r->datatype = type_hold(datatype);
    r->peer = e->peer;
    r->tag = e->tag;
    r->buffers = p2p_buffers;
    return r;
}

static int check_transfer(struct envelope *e, const void *buf, MPI_Count count, MPI_Datatype datatype, int peer, int tag,
                          MPI_Comm comm, bool sending)
{
    int rc = p2p_check_envelope(e, comm, peer, tag, sending);
    if (rc == MPI_SUCCESS)
        rc = p2p_check_buffer(e->comm, buf, count, datatype);
    if (rc == MPI_SUCCESS)
        p2p_check_memory(peer, buf, count, datatype, !sending);
    return rc;
}

static struct request *new_send(const struct envelope *e, const void *buf, MPI_Count count, MPI_Datatype datatype,
                                uint32_t mode)
{
    struct request *r = new_request(e, buf, count, datatype);
    r->mode = mode;
    r->start = send_again;
    return r;
}

static struct request *new_recv(const struct envelope *e, void *buf, MPI_Count count, MPI_Datatype datatype)
{
    struct request *r = new_request(e, buf, count, datatype);
    r->start = recv_again;
    r->finish = p2p_recv_finish;
    return r;
}

/* Makes the request of a send, not posted yet. */
static int send_make(struct request **r, const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
                     MPI_Comm comm, uint32_t mode)
{
    struct envelope e;
    int rc = check_transfer(&e, buf, count, datatype, dest, tag, comm, true);
    if (rc == MPI_SUCCESS)
        *r = new_send(&e, buf, count, datatype, mode);
    return rc;
}

static int recv_make(struct request **r, void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag,
                     MPI_Comm comm)
{
    struct envelope e;
    int rc = check_transfer(&e, buf, count, datatype, source, tag, comm, false);
    if (rc == MPI_SUCCESS)
        *r = new_recv(&e, buf, count, datatype);
    return rc;
}

/*
 * The whole of a blocking call without a request, where the channel can do that and no other operation is pending
 * that it could be compared with.
 */
static bool transfer(enum op_kind kind, const struct envelope *e, const void *buf, MPI_Count count,
                     MPI_Datatype datatype, uint32_t mode, struct completion *done)
{
    const struct type *type = type_find(datatype);
    if (e->peer == MPI_PROC_NULL || mode & OPF_BUFFERED || !type->contiguous || !guard_is_idle())
        return false;
    struct op op = transfer_op(kind, e->comm, e->peer, e->tag, count, type);
    op.flags = OPF_BLOCKING | mode;
    op.request = request_next_number();
    return channel_transfer(&op, (void *)buf, done);
}

/* The three forms of a send: blocking, non-blocking, persistent. */
static int send_in_mode(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                        uint32_t mode)
{
    struct envelope e;
    struct completion done;
    int rc = check_transfer(&e, buf, count, datatype, dest, tag, comm, true);
    if (rc != MPI_SUCCESS || transfer(OP_SEND, &e, buf, count, datatype, mode, &done))
        return rc;
    struct request *r = new_send(&e, buf, count, datatype, mode);
    guard_compare(r);
    rc = send_start(r, true);
    if (rc != MPI_SUCCESS) {
        request_delete(r);
        return rc;
    }
    return complete_blocking(r, MPI_STATUS_IGNORE);
}

static int isend(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                 uint32_t mode, MPI_Request *request)
{
    struct request *r;
    int rc = send_make(&r, buf, count, datatype, dest, tag, comm, mode);
    if (rc != MPI_SUCCESS)
        return rc;
    rc = send_start(r, false);
    if (rc != MPI_SUCCESS)
        request_delete(r);
    else
        *request = request_handle(r);
    return rc;
}

static int send_init(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                     uint32_t mode, MPI_Request *request)
{
    struct request *r;
    int rc = send_make(&r, buf, count, datatype, dest, tag, comm, mode);
    if (rc != MPI_SUCCESS)
        return rc;
    r->persistent = true;
    *request = request_handle(r);
    return MPI_SUCCESS;
}

#define SEND_BODIES(letter, mode)                                                                                     \
    int body_##letter##end(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) \
    {                                                                                                                 \
        return send_in_mode(buf, count, datatype, dest, tag, comm, mode);                                             \
    }                                                                                                                 \
    int body_##letter##end_init(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,           \
                                MPI_Comm comm, MPI_Request *request)                                                  \
    {                                                                                                                 \
        return send_init(buf, count, datatype, dest, tag, comm, mode, request);                                       \
    }

#define ISEND_BODY(name, mode)                                                                           \
    int body_##name(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, \
                    MPI_Request *request)                                                                \
    {                                                                                                    \
        return isend(buf, count, datatype, dest, tag, comm, mode, request);                              \
    }

SEND_BODIES(S, 0)
SEND_BODIES(Bs, OPF_BUFFERED)
SEND_BODIES(Ss, OPF_SYNCHRONOUS)
SEND_BODIES(Rs, OPF_READY)
ISEND_BODY(Isend, 0)
ISEND_BODY(Ibsend, OPF_BUFFERED)
ISEND_BODY(Issend, OPF_SYNCHRONOUS)
ISEND_BODY(Irsend, OPF_READY)

/* After channel_transfer. */
static int end_receive(const struct envelope *e, MPI_Count count, MPI_Datatype datatype, const struct completion *done,
                       MPI_Status *status)
{
    uint64_t room = type_bytes(type_find(datatype), count), bytes = done->bytes > room ? room : done->bytes;
    status_tell(status, comm_peer_of_world(e->comm, done->source), done->tag, bytes);
    return error_raise(e->comm, done->bytes > room ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
}

int body_Recv(void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
              MPI_Status *status)
{
    struct envelope e;
    struct completion done;
    int rc = check_transfer(&e, buf, count, datatype, source, tag, comm, false);
    if (rc != MPI_SUCCESS)
        return rc;
    if (transfer(OP_RECV, &e, buf, count, datatype, 0, &done))
        return end_receive(&e, count, datatype, &done, status);
    struct request *r = new_recv(&e, buf, count, datatype);
    guard_compare(r);
    recv_start(r, true);
    return complete_blocking(r, status);
}

int body_Irecv(void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
               MPI_Request *request)
{
    struct request *r;
    int rc = recv_make(&r, buf, count, datatype, source, tag, comm);
    if (rc != MPI_SUCCESS)
        return rc;
    recv_start(r, false);
    *request = request_handle(r);
    return MPI_SUCCESS;
}

int body_Recv_init(void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                   MPI_Request *request)
{
    struct request *r;
    int rc = recv_make(&r, buf, count, datatype, source, tag, comm);
    if (rc != MPI_SUCCESS)
        return rc;
    r->persistent = true;
    *request = request_handle(r);
    return MPI_SUCCESS;
}

/* Both halves, made and posted; of one buffer for both, the send packs before the receive may overwrite. */
static int sendrecv_start(struct request *half[2], const void *sendbuf, MPI_Count sendcount,
                          MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf, MPI_Count recvcount,
                          MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm)
{
    int rc = send_make(&half[0], sendbuf, sendcount, sendtype, dest, sendtag, comm, 0);
    if (rc != MPI_SUCCESS)
        return rc;
    rc = recv_make(&half[1], recvbuf, recvcount, recvtype, source, recvtag, comm);
    if (rc != MPI_SUCCESS) {
        request_delete(half[0]);
        return rc;
    }
    half[0]->apart = half[1]->apart = sendbuf == recvbuf;
    recv_start(half[1], false);
    return send_start(half[0], false);
}

static void check_disjoint(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest, void *recvbuf,
                           MPI_Count recvcount, MPI_Datatype recvtype, int source)
{
    if (dest == MPI_PROC_NULL || source == MPI_PROC_NULL || sendcount <= 0 || recvcount <= 0 ||
        sendtype == MPI_DATATYPE_NULL || recvtype == MPI_DATATYPE_NULL)
        return;
    if (type_overlap(sendbuf, sendcount, type_find(sendtype), recvbuf, recvcount, type_find(recvtype)))
        complain(COMPLAINT_INVALID_ARGUMENT, "%s: the send buffer and the receive buffer overlap",
                 call_name(shim.call));
}

static int sendrecv(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                    void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
                    MPI_Status *status)
{
    struct request *half[2];
    int rc = sendrecv_start(half, sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype,
                            source, recvtag, comm);
    if (rc != MPI_SUCCESS)
        return rc;
    guard_compare(half[0]);
    guard_compare(half[1]);
    status_forget(status);
    complete_all(half, 2);
    request_delete(half[0]);
    return complete_blocking(half[1], status);
}

int body_Sendrecv(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                  void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
                  MPI_Status *status)
{
    check_disjoint(sendbuf, sendcount, sendtype, dest, recvbuf, recvcount, recvtype, source);
    return sendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm,
                    status);
}

int body_Sendrecv_replace(void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int sendtag, int source,
                          int recvtag, MPI_Comm comm, MPI_Status *status)
{
    return sendrecv(buf, count, datatype, dest, sendtag, buf, count, datatype, source, recvtag, comm, status);
}

/* The request is that of the receive, and complete when the send is, too. */
static int isendrecv(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                     void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
                     MPI_Request *request)
{
    struct request *half[2];
    int rc = sendrecv_start(half, sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source,
                            recvtag, comm);
    if (rc != MPI_SUCCESS)
        return rc;
    half[1]->half = half[0];
    *request = request_handle(half[1]);
    return MPI_SUCCESS;
}

int body_Isendrecv(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                   void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
                   MPI_Request *request)
{
    check_disjoint(sendbuf, sendcount, sendtype, dest, recvbuf, recvcount, recvtype, source);
    return isendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm,
                     request);
}

int body_Isendrecv_replace(void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int sendtag, int source,
                           int recvtag, MPI_Comm comm, MPI_Request *request)
{
    return isendrecv(buf, count, datatype, dest, sendtag, buf, count, datatype, source, recvtag, comm, request);
}

void p2p_exchange(struct comm *comm, context_t context, int peer, int tag, const void *out, size_t out_bytes,
                  void *in, size_t room, size_t *in_bytes)
{
    struct request *half[2] = {request_new(comm), request_new(comm)};
    const struct type *type = type_find(MPI_BYTE);
    half[1]->datatype = type_hold(MPI_BYTE);
    half[1]->buf = in;
    half[1]->count = room;
    half[1]->finish = p2p_recv_finish;
    request_activate(half[1], true, false);
    struct op recv = transfer_op(OP_RECV, comm, peer, tag, room, type);
    recv.context = context;
    recv.request = half[1]->number;
    channel_post(&recv, NULL, 0);
    struct op send = transfer_op(OP_SEND, comm, peer, tag, out_bytes, type);
    send.context = context;
    send.request = half[0]->number;
    request_activate(half[0], true, !turns_are_taken() && p2p_completes_at_once(0, out_bytes));
    channel_post(&send, out, out_bytes);
    complete_all(half, 2);
    MPI_Count got;
    real_must(Get_elements_x, &half[1]->status, MPI_BYTE, &got);
    *in_bytes = got;
    request_delete(half[0]);
    request_delete(half[1]);
}
