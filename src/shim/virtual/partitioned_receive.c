/*
 * partitioned_receive -- the side of a partitioned message on which parts arrive (partitioned.h).
 *
 * The other side may divide the message otherwise: what arrives is put together, and a partition of this side has arrived
 * when all messages that have bytes of it are there.
 */
#include <stdlib.h>
#include <string.h>

#include "shim/bodies/completion.h"
#include "shim/bodies/p2p.h"
#include "shim/bodies/requests.h"
#include "shim/channel.h"
#include "shim/core/complaint.h"
#include "shim/core/error.h"
#include "shim/objects/status.h"
#include "shim/virtual/partitioned.h"

/* From the first to before the last. */
struct numbers {
    uint64_t from, until;
};

/* Which parts of one side have bytes of a part of the other; if both have as many parts, the one with its number. */
static struct numbers parts_in_common(uint64_t part, uint64_t bytes, uint64_t parts, uint64_t other_bytes,
                                      uint64_t other_parts)
{
    if (parts == other_parts)
        return (struct numbers){part, part + 1};
    if (bytes == 0 || other_bytes == 0)
        return (struct numbers){0, 0};
    uint64_t from = part * bytes / other_bytes, until = ((part + 1) * bytes + other_bytes - 1) / other_bytes;
    return (struct numbers){from < other_parts ? from : other_parts, until < other_parts ? until : other_parts};
}

static struct numbers messages_of_partition(const struct request *r, int partition)
{
    const struct partitioned *p = r->state;
    return parts_in_common((uint64_t)partition, partition_bytes(r), (uint64_t)p->partitions, p->sent.bytes,
                           p->sent.partitions);
}

static struct numbers partitions_of_message(const struct request *r, uint64_t message)
{
    const struct partitioned *p = r->state;
    return parts_in_common(message, p->sent.bytes, p->sent.partitions, partition_bytes(r), (uint64_t)p->partitions);
}

static uint64_t room_of(const struct request *r)
{
    return type_bytes(type_find(r->datatype), r->count);
}

static bool is_all_there(const struct request *r, int partition)
{
    const struct partitioned *p = r->state;
    struct numbers of = messages_of_partition(r, partition);
    for (uint64_t i = of.from; i < of.until; i++)
        if (!p->message[i]->complete)
            return false;
    return true;
}

/* Of one that is larger than what was sent, the rest stays as it is. */
static void let_arrive(struct request *r, int partition)
{
    struct partitioned *p = r->state;
    uint64_t bytes = partition_bytes(r), at = (uint64_t)partition * bytes, end = p->sent.partitions * p->sent.bytes;
    partition_return(r, partition);
    if (at < end)
        type_unpack(p->packed + at, end - at < bytes ? end - at : bytes, partition_buffer(r, partition), p->count,
                    type_find(r->datatype));
    p->over[partition] = true;
    p->left--;
}

static void look_at_partitions(struct request *r, struct numbers which)
{
    const struct partitioned *p = r->state;
    for (uint64_t i = which.from; i < which.until; i++)
        if (!p->over[i] && is_all_there(r, (int)i))
            let_arrive(r, (int)i);
}

static void message_came(struct request *message, const struct completion *c)
{
    struct request *r = message->state;
    const struct partitioned *p = r->state;
    uint64_t at = (uint64_t)message->tag * p->sent.bytes, room = room_of(r), bytes = c->bytes;
    if (at < room)
        memcpy(p->packed + at, arena_at(c->payload), bytes < room - at ? bytes : room - at);
    look_at_partitions(r, partitions_of_message(r, (uint64_t)message->tag));
}

static struct request *post_message(struct request *r, int number)
{
    const struct partitioned *p = r->state;
    const struct type *type = type_find(r->datatype);
    struct request *message = request_new(r->comm);
    message->call = r->call;
    message->state = r;
    message->tag = number;
    message->finish = message_came;
    request_activate(message, true, false);
    struct op op = {.kind = OP_RECV,
                    .call = CALL_Parrived,
                    .request = message->number,
                    .peer = p2p_world_rank(r->comm, r->peer),
                    .tag = number,
                    .context = p->parts,
                    .bytes = p->sent.bytes,
                    .count = type->size ? (int64_t)(p->sent.bytes / (uint64_t)type->size) : 0,
                    .type = type->number};
    channel_post(&op, NULL, 0);
    request_parts++;
    return message;
}

static void post_messages(struct request *r)
{
    struct partitioned *p = r->state;
    struct request **link = &r->half;
    p->message = shim_alloc(p->sent.partitions * sizeof *p->message);
    for (uint64_t i = 0; i < p->sent.partitions; i++) {
        p->message[i] = *link = post_message(r, (int)i);
        link = &p->message[i]->half;
    }
}

static void compare_sizes(struct request *r)
{
    const struct partitioned *p = r->state;
    uint64_t sent = p->sent.partitions * p->sent.bytes, room = room_of(r);
    if (sent != room)
        complain_at(COMPLAINT_PARTITION_SIZE, r->call, r->made, 1,
                    "%s is for %llu bytes, and the send that goes with it has %llu", call_name(r->call),
                    (unsigned long long)room, (unsigned long long)sent);
    if (sent > room)
        r->error = MPI_ERR_TRUNCATE;
}

/* The other side has started: what it says is the same each time. */
static void start_came(struct request *r, const struct completion *c)
{
    struct partitioned *p = r->state;
    memcpy(&p->sent, arena_at(c->payload), sizeof p->sent);
    p->knows_shape = true;
    compare_sizes(r);
    if (!p->message)
        post_messages(r);
    look_at_partitions(r, (struct numbers){0, (uint64_t)p->partitions});
    uint64_t sent = p->sent.partitions * p->sent.bytes, room = room_of(r);
    status_set(&r->status, comm_peer_of_world(r->comm, c->source), r->tag, sent < room ? sent : room, false);
}

static void receive_nothing(struct request *r)
{
    struct partitioned *p = r->state;
    request_activate(r, false, true);
    status_null_peer(&r->status);
    memset(p->over, true, (size_t)p->partitions * sizeof *p->over);
    p->left = 0;
}

static int precv_start(struct request *r)
{
    struct partitioned *p = r->state;
    partitioned_begin(r);
    if (r->peer == MPI_PROC_NULL) {
        receive_nothing(r);
        return MPI_SUCCESS;
    }
    const struct type *type = type_find(r->datatype);
    struct op op = {.kind = OP_RECV,
                    .call = r->call,
                    .request = r->number,
                    .peer = p2p_world_rank(r->comm, r->peer),
                    .tag = r->tag,
                    .context = p->starts,
                    .bytes = sizeof p->sent,
                    .count = r->count,
                    .type = type->number,
                    .signature = type->signature};
    request_activate(r, true, false);
    channel_post(&op, NULL, 0);
    p->packed = shim_alloc(room_of(r));
    for (int i = 0; i < p->partitions; i++)
        partition_lend(r, i);
    if (p->knows_shape)
        post_messages(r);
    return MPI_SUCCESS;
}

/* The start of the other side, if it has not come, and what is known to be needed for the partition; how many. */
static int list_what_is_missing(struct request *r, int partition, struct request **missing)
{
    const struct partitioned *p = r->state;
    int n = 0;
    if (!r->complete)
        missing[n++] = r;
    if (!p->message)
        return n;
    struct numbers of = messages_of_partition(r, partition);
    for (uint64_t i = of.from; i < of.until; i++)
        if (!p->message[i]->complete)
            missing[n++] = p->message[i];
    return n;
}

static bool poll_for_partition(struct request *r, int partition)
{
    const struct partitioned *p = r->state;
    bool yes = true;
    while (yes && !p->over[partition]) {
        struct request **missing = shim_alloc((p->sent.partitions + 1) * sizeof *missing);
        yes = complete_if_all_are(missing, list_what_is_missing(r, partition, missing));
        free(missing);
    }
    return yes;
}

static int check_received(const struct request *r, int partition)
{
    if (!r)
        return error_argument(NULL, MPI_ERR_REQUEST, "the request is null or was freed");
    if (r->call != CALL_Precv_init)
        return error_argument(r->comm, MPI_ERR_REQUEST, "the request is one of %s", call_name(r->call));
    const struct partitioned *p = r->state;
    if (partition < 0 || partition >= p->partitions)
        return error_argument(r->comm, MPI_ERR_ARG, "the partition is %d, of %d", partition, p->partitions);
    return MPI_SUCCESS;
}

int body_Precv_init(void *buf, int partitions, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                    MPI_Info info, MPI_Request *request)
{
    (void)info;
    struct request *r;
    int rc = partitioned_make(&r, buf, partitions, count, datatype, source, tag, comm, false);
    if (rc != MPI_SUCCESS)
        return rc;
    r->start = precv_start;
    r->finish = start_came;
    r->released = partitioned_end;
    *request = request_handle(r);
    return MPI_SUCCESS;
}

/* Of one that is not active, everything is there; but that is not what all libraries say. */
int body_Parrived(MPI_Request request, int partition, int *flag)
{
    struct request *r = request_find(request);
    int rc = check_received(r, partition);
    if (rc != MPI_SUCCESS)
        return rc;
    if (!r->active)
        complain(COMPLAINT_PARTITION_ASKED_INACTIVE, "MPI_Parrived of a request that is not active: some libraries call that an error");
    *flag = 0;
    *flag = !r->active || poll_for_partition(r, partition);
    return MPI_SUCCESS;
}
