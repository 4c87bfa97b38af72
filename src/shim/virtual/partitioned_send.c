/*
 * partitioned_send -- the side of a partitioned message that marks its parts ready (partitioned.h).
 */
#include "shim/bodies/p2p.h"
#include "shim/bodies/requests.h"
#include "shim/channel.h"
#include "shim/core/complaint.h"
#include "shim/core/error.h"
#include "shim/virtual/partitioned.h"

/* The message that says so is empty; its tag is the first number that is no partition. */
static int tag_of_all_ready(const struct partitioned *p)
{
    return p->partitions;
}

/*
 * Whether it is buffered depends on the message that it stands for, not on what it says: that matters only where there is a
 * limit, neither 0 nor none.
 */
static uint32_t mode_of_start(const struct request *r)
{
    uint64_t slack = channel_head()->slack;
    if (slack == 0 || p2p_completes_at_once(0, UINT64_MAX / 2))
        return 0;
    return p2p_completes_at_once(0, type_bytes(type_find(r->datatype), r->count)) ? OPF_BUFFERED : OPF_SYNCHRONOUS;
}

static int psend_start(struct request *r)
{
    const struct partitioned *p = r->state;
    partitioned_begin(r);
    if (r->peer == MPI_PROC_NULL) {
        request_activate(r, false, true);
        return MPI_SUCCESS;
    }
    const struct type *type = type_find(r->datatype);
    struct partition_shape shape = {.partitions = (uint64_t)p->partitions, .bytes = partition_bytes(r)};
    struct op op = {.kind = OP_SEND,
                    .call = r->call,
                    .flags = mode_of_start(r),
                    .request = r->number,
                    .peer = p2p_world_rank(r->comm, r->peer),
                    .tag = r->tag,
                    .context = p->starts,
                    .bytes = sizeof shape,
                    .count = r->count,
                    .type = type->number,
                    .signature = type->signature};
    request_activate(r, true, p2p_completes_at_once(op.flags, sizeof shape) || op.flags & OPF_BUFFERED);
    channel_post(&op, &shape, sizeof shape);
    return MPI_SUCCESS;
}

/* What is sent here is complete at once, and leaves no request (M6: as a buffered send). */
static struct op sent_part(const struct request *r, rank_t to, int tag)
{
    const struct partitioned *p = r->state;
    return (struct op){.kind = OP_SEND,
                       .flags = OPF_BUFFERED | OPF_BLOCKING | OPF_WENT_ON,
                       .peer = to,
                       .tag = tag,
                       .context = p->parts};
}

static void send_part(struct request *r, int partition)
{
    const struct partitioned *p = r->state;
    const struct type *type = type_find(r->datatype);
    struct op op = sent_part(r, p2p_world_rank(r->comm, r->peer), partition);
    op.bytes = type_bytes(type, p->count);
    op.count = p->count;
    op.type = type->number;
    p2p_post_packed(&op, partition_buffer(r, partition), p->count, type);
    partition_lend(r, partition);
}

static int first_not_ready(const struct partitioned *p)
{
    int first = 0;
    while (p->over[first])
        first++;
    return first;
}

/* Another thread may mark the rest; if there is none, and the call waits for nothing else, nobody will. */
static void tell_not_ready(const struct request *r)
{
    const struct partitioned *p = r->state;
    complain(COMPLAINT_PARTITION_NOT_READY, "%s waits for the request of %s, of which partition %d is not marked ready%s",
             call_name(shim.call), call_name(r->call), first_not_ready(p), p->left > 1 ? ", nor are others" : "");
}

/* Not complete before all are ready: that is told by a message of the rank to itself, once it is asked for. */
static void psend_asked(struct request *r, bool awaited)
{
    struct partitioned *p = r->state;
    if (p->left == 0 || r->peer == MPI_PROC_NULL)
        return;
    if (awaited && !shim_has_threads())
        tell_not_ready(r);
    if (p->all_ready)
        return;
    struct request *ready = p->all_ready = r->half = request_new(r->comm);
    ready->call = CALL_Pready;
    request_parts++;
    request_activate(ready, true, false);
    struct op op = {.kind = OP_RECV,
                    .call = CALL_Pready,
                    .request = ready->number,
                    .peer = shim.rank,
                    .tag = tag_of_all_ready(p),
                    .context = p->parts,
                    .count = first_not_ready(p)};
    channel_post(&op, NULL, 0);
}

static void mark_ready(struct request *r, int partition)
{
    struct partitioned *p = r->state;
    p->over[partition] = true;
    p->left--;
    if (r->peer == MPI_PROC_NULL)
        return;
    send_part(r, partition);
    if (p->left == 0 && p->all_ready) {
        struct op op = sent_part(r, shim.rank, tag_of_all_ready(p));
        channel_post(&op, NULL, 0);
    }
}

static int check_marked_request(const struct request *r)
{
    if (!r)
        return error_argument(NULL, MPI_ERR_REQUEST, "the request is null or was freed");
    if (r->call != CALL_Psend_init)
        return error_argument(r->comm, MPI_ERR_REQUEST, "the request is one of %s", call_name(r->call));
    if (!r->active)
        return error_raise_for(r->comm, MPI_ERR_REQUEST, COMPLAINT_PARTITION_STATE, "the request is not active");
    return MPI_SUCCESS;
}

static int check_partition(const struct request *r, int partition)
{
    const struct partitioned *p = r->state;
    if (partition < 0 || partition >= p->partitions)
        return error_argument(r->comm, MPI_ERR_ARG, "the partition is %d, of %d", partition, p->partitions);
    if (p->over[partition])
        return error_raise_for(r->comm, MPI_ERR_ARG, COMPLAINT_PARTITION_STATE, "partition %d was marked ready before",
                               partition);
    return MPI_SUCCESS;
}

static int mark_checked(struct request *r, int partition)
{
    int rc = check_partition(r, partition);
    if (rc == MPI_SUCCESS)
        mark_ready(r, partition);
    return rc;
}

int body_Psend_init(const void *buf, int partitions, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                    MPI_Info info, MPI_Request *request)
{
    (void)info;
    struct request *r;
    int rc = partitioned_make(&r, buf, partitions, count, datatype, dest, tag, comm, true);
    if (rc != MPI_SUCCESS)
        return rc;
    r->start = psend_start;
    r->asked = psend_asked;
    r->released = partitioned_end;
    *request = request_handle(r);
    return MPI_SUCCESS;
}

int body_Pready(int partition, MPI_Request request)
{
    struct request *r = request_find(request);
    int rc = check_marked_request(r);
    return rc == MPI_SUCCESS ? mark_checked(r, partition) : rc;
}

int body_Pready_range(int partition_low, int partition_high, MPI_Request request)
{
    struct request *r = request_find(request);
    int rc = check_marked_request(r);
    if (rc == MPI_SUCCESS && partition_low > partition_high)
        return error_argument(r->comm, MPI_ERR_ARG, "the range goes from %d to %d", partition_low, partition_high);
    for (int i = partition_low; rc == MPI_SUCCESS && i <= partition_high; i++)
        rc = mark_checked(r, i);
    return rc;
}

int body_Pready_list(int length, const int array_of_partitions[], MPI_Request request)
{
    struct request *r = request_find(request);
    int rc = check_marked_request(r);
    if (rc == MPI_SUCCESS && length < 0)
        return error_argument(r->comm, MPI_ERR_ARG, "the length is %d", length);
    for (int i = 0; rc == MPI_SUCCESS && i < length; i++)
        rc = mark_checked(r, array_of_partitions[i]);
    return rc;
}
