#include "shim/virtual/coll.h"

#include <string.h>

#include "shim/bodies/completion.h"
#include "shim/bodies/entry.h"
#include "shim/bodies/requests.h"
#include "shim/channel.h"
#include "shim/core/complaint.h"
#include "shim/turns.h"
#include "shim/virtual/topology.h"

static rank_t member_at(const struct comm *comm, int position)
{
    bool local_first = !comm->remote || comm->local_first;
    const struct group *first = local_first ? comm->local : comm->remote;
    const struct group *second = local_first ? comm->remote : comm->local;
    return position < first->size ? first->rank[position] : second->rank[position - first->size];
}

static uint64_t total_bytes(const struct collective_part *join)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < join->slices; i++)
        bytes += join->slice[i].bytes;
    return bytes;
}

static struct op_coll description(const struct collective_part *join)
{
    return (struct op_coll){.from = join->from,
                           .until = join->until,
                           .listed = join->nlisted,
                           .idle = join->nidle,
                           .slices = join->slices,
                           .takes = join->takes,
                           .typed = join->types != NULL,
                           .reduction = join->reduction,
                           .taken = join->taken ? join->taken->signature : 0};
}

/* Writes what is needed and the lengths of what is brought; returns what follows. */
static char *describe_part(char *tail, const struct collective_part *join)
{
    struct op_coll coll = description(join);
    memcpy(tail, &coll, sizeof coll);
    tail += sizeof coll;
    memset(tail, 0, op_coll_lists(&coll)); /* what a call puts into the ring is compared, padding and all */
    if (join->nlisted)
        memcpy(tail, join->listed, join->nlisted * sizeof *join->listed);
    if (join->nidle)
        memcpy(tail + join->nlisted * sizeof *join->listed, join->idle, join->nidle * sizeof *join->idle);
    tail += op_coll_lists(&coll);
    if (join->slices)
        memcpy(tail, join->slice, join->slices * sizeof *join->slice);
    tail += join->slices * sizeof *join->slice;
    if (join->takes)
        memcpy(tail, join->take, join->takes * sizeof *join->take);
    tail += join->takes * sizeof *join->take;
    size_t types = join->types ? (join->slices + join->takes) * sizeof *join->types : 0;
    if (types)
        memcpy(tail, join->types, types);
    return tail + types;
}

/* A blocking one that lets other threads in; they may not call another one meanwhile. */
static void note_collective(struct request *request, bool waits)
{
    struct comm *comm = request->comm;
    if (comm->in_collective)
        complain(COMPLAINT_THREAD_COLLECTIVE,
                 "%s is called on a communicator on which another thread of the rank is in a collective",
                 call_name(shim.call));
    request->in_collective = waits && !comm->in_collective;
    comm->in_collective = comm->in_collective || waits;
}

void *coll_begin(struct request *request, const struct collective_part *join, bool blocking)
{
    struct comm *comm = request->comm;
    turns_before_collective(join->series ? join->series->context : comm->context);
    uint64_t bytes = total_bytes(join);
    bool fits = bytes <= WIRE_INLINE;
    bool needs_nobody = join->from >= join->until && !join->nlisted;
    bool complete = needs_nobody && !turns_are_taken(); /* else it is asked, as of a send (p2p.c) */
    uint32_t flags = !blocking ? 0 : complete ? OPF_BLOCKING | OPF_WENT_ON : completion_blocking_flag(request);
    note_collective(request, blocking && !complete && !request->alone);
    struct op op = {
        .kind = OP_COLL,
        .call = request->call, /* also when MPI_Start makes it */
        .flags = flags | (join->ordered ? OPF_ORDERED : 0),
        .request = flags & OPF_WENT_ON ? 0 : request->number,
        .peer = join->root < 0 ? RANK_NONE : member_at(comm, join->root),
        .turn = join->series ? join->series->turns++ : comm->turns++,
        .context = join->series ? join->series->context : comm->context,
        .bytes = bytes,
        .payload = fits ? 0 : arena_room(bytes),
        .count = join->count,
        .type = join->type ? join->type->number : 0,
        .signature = join->brought ? join->brought->signature : 0,
    };
    struct op_coll described = description(join);
    size_t tail = op_coll_size(&described) + (fits ? bytes : 0);
    char *end = describe_part(channel_begin(&op, tail), join);
    request_activate(request, op.request != 0, complete);
    request->sure = needs_nobody;
    return fits ? end : arena_at(op.payload);
}

void coll_commit(void)
{
    channel_commit();
}

void coll_pass(struct comm *comm, int root)
{
    struct request *request = request_new(comm);
    coll_begin(request, &(struct collective_part){.root = root}, true);
    coll_commit();
    complete_blocking(request, MPI_STATUS_IGNORE);
}

struct slice_exchange {
    size_t bytes;
    char *all;
};

static void finish_exchange(struct request *request, const struct completion *done)
{
    const struct slice_exchange *exchange = request->state;
    const struct piece *piece = completion_pieces(done);
    for (uint32_t i = 0; i < done->pieces; i++) {
        size_t bytes = piece[i].bytes < exchange->bytes ? piece[i].bytes : exchange->bytes;
        if (bytes)
            memcpy(exchange->all + piece[i].from * exchange->bytes, arena_at(piece[i].payload), bytes);
    }
}

void coll_exchange(struct comm *comm, const void *mine, size_t bytes, void *all)
{
    struct slice_exchange exchange = {bytes, all};
    struct op_slice slice = {.to = SLICE_FOR_ALL, .bytes = bytes};
    struct collective_part join = {.root = -1, .until = comm_members(comm), .slice = &slice, .slices = 1};
    struct request *request = request_new(comm);
    request->finish = finish_exchange;
    request->state = &exchange;
    void *room = coll_begin(request, &join, true);
    if (bytes)
        memcpy(room, mine, bytes);
    coll_commit();
    complete_blocking(request, MPI_STATUS_IGNORE);
}

int entry_array_length(MPI_Comm handle, enum array_extent which, int root)
{
    const struct comm *comm = comm_find(handle);
    if (!comm)
        return 0;
    const int *sources, *destinations;
    int in = 0, out = 0;
    switch (which) {
    case ARRAY_PEERS:
        return comm_peers(comm)->size;
    case ARRAY_PEERS_AT_ROOT:
        return root == (comm_is_inter(comm) ? MPI_ROOT : comm->rank) ? comm_peers(comm)->size : 0;
    case ARRAY_MEMBERS:
        return comm->local->size;
    case ARRAY_IN_NEIGHBOURS:
    case ARRAY_OUT_NEIGHBOURS:
        topology_neighbours(comm, &sources, &in, &destinations, &out);
        return which == ARRAY_IN_NEIGHBOURS ? in : out;
    }
    return 0;
}
