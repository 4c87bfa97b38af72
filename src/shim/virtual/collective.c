#include "shim/virtual/collective.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "call/operators.h"
#include "shim/bodies/completion.h"
#include "shim/bodies/requests.h"
#include "shim/channel.h"
#include "shim/core/complaint.h"
#include "shim/core/error.h"
#include "shim/core/library_code.h"
#include "shim/guard/bounds.h"
#include "shim/guard/guard.h"
#include "shim/objects/object.h"
#include "shim/objects/reduction_op.h"
#include "shim/virtual/coll.h"
#include "shim/virtual/reduction_orders.h"

struct collective *collective_new(MPI_Comm handle)
{
    struct collective *c = shim_alloc(sizeof *c);
    *c = (struct collective){.comm = comm_find(handle), .root = -1, .kind = COMPLAINT_INVALID_ARGUMENT};
    if (!c->comm)
        collective_fail(c, MPI_ERR_COMM, "%s", comm_what_is_wrong(handle));
    return c;
}

static void release_blocks(struct blocks *blocks)
{
    for (uint32_t i = 0; i < blocks->n; i++)
        type_drop(blocks->block[i].type->handle);
    if (blocks->block != &blocks->only)
        free(blocks->block);
}

static void collective_free(struct collective *c)
{
    release_blocks(&c->bring);
    release_blocks(&c->take);
    if (c->folds)
        reduction_op_drop(c->op);
    free(c);
}

void collective_fail(struct collective *c, int error_class, const char *format, ...)
{
    if (c->error != MPI_SUCCESS || error_class == MPI_SUCCESS)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(c->why, sizeof c->why, format, args);
    va_end(args);
    c->error = error_class;
}

void collective_reserve(struct blocks *blocks, int n)
{
    blocks->block = n == 1 ? &blocks->only : shim_alloc(n * sizeof *blocks->block);
}

void collective_add(struct collective *c, struct blocks *blocks, const struct buffer_argument *part, int i, int32_t position)
{
    MPI_Count count = part->counts ? part->counts[i] : part->count;
    MPI_Datatype datatype = part->types ? part->types[i] : part->type;
    bool freed = object_is_freed(OBJECT_TYPE, HANDLE_KEY(datatype));
    const struct type *type = freed ? NULL : type_find(datatype);
    MPI_Aint at = part->displs ? part->displs[i] : i * part->stride;
    const char *address = part->types ? (const char *)part->buf + at : part->buf; /* displacements may be addresses */
    if (part->buf == MPI_IN_PLACE)
        collective_fail(c, MPI_ERR_BUFFER, "MPI_IN_PLACE is not allowed here");
    else if (count < 0)
        collective_fail(c, MPI_ERR_COUNT, "a count is %lld", (long long)count);
    else if (freed)
        collective_fail(c, MPI_ERR_TYPE, "a datatype was freed");
    else if (!type)
        collective_fail(c, MPI_ERR_TYPE, "a datatype is MPI_DATATYPE_NULL or none");
    else if (!type_is_committed(type))
        collective_fail(c, MPI_ERR_TYPE, "a datatype is not committed");
    else if (type_is_nowhere(type, address, count))
        collective_fail(c, MPI_ERR_BUFFER, "a buffer is null and its count %lld", (long long)count);
    if (c->error != MPI_SUCCESS)
        return;
    c->apart = c->apart || part->types;
    type_hold(type->handle);
    blocks->block[blocks->n++] = (struct block){
        .position = position,
        .type = type,
        .buf = (char *)part->buf + at * (part->types ? 1 : type->extent),
        .count = count,
    };
}

static void add_each(struct collective *c, struct blocks *blocks, const struct buffer_argument *part, int first, int n,
                     int32_t position)
{
    collective_reserve(blocks, n);
    for (int i = 0; i < n; i++)
        collective_add(c, blocks, part, first + i, position + i);
}

void collective_bring(struct collective *c, struct buffer_argument part, int i, int32_t position)
{
    add_each(c, &c->bring, &part, i, 1, position);
}

void collective_bring_each(struct collective *c, struct buffer_argument part)
{
    add_each(c, &c->bring, &part, 0, comm_peers(c->comm)->size, comm_peer_position(c->comm, 0));
}

void collective_take(struct collective *c, struct buffer_argument part, int i, int32_t position)
{
    add_each(c, &c->take, &part, i, 1, position);
    c->from = position;
    c->until = position + 1;
}

void collective_take_each(struct collective *c, struct buffer_argument part)
{
    collective_need_peers(c);
    add_each(c, &c->take, &part, 0, c->until - c->from, c->from);
}

void collective_need_peers(struct collective *c)
{
    c->from = comm_peer_position(c->comm, 0);
    c->until = c->from + comm_peers(c->comm)->size;
}

struct role collective_role(struct collective *c, int root)
{
    bool inter = comm_is_inter(c->comm);
    if (inter && root == MPI_PROC_NULL)
        return (struct role){0};
    if (inter && root == MPI_ROOT) {
        c->root = comm_local_position(c->comm, c->comm->rank);
        return (struct role){.root = true};
    }
    if (root < 0 || root >= comm_peers(c->comm)->size) {
        collective_fail(c, MPI_ERR_ROOT, "the root is %d, of %d ranks", root, comm_peers(c->comm)->size);
        return (struct role){0};
    }
    c->root = comm_peer_position(c->comm, root);
    return (struct role){.root = !inter && root == c->comm->rank, .leaf = true};
}

void collective_reduce(struct collective *c, MPI_Op op)
{
    c->folds = true;
    c->op = op;
    reduction_op_hold(op);
}

void collective_fold(struct collective *c, struct buffer_argument part)
{
    add_each(c, &c->take, &part, 0, 1, SLICE_FOR_ALL);
    c->length = part.count;
}

/* Writes what came for a block; MPI_ERR_TRUNCATE if it was more than there is room for. */
static int put_into_block(const struct block *to, const void *from, uint64_t bytes)
{
    uint64_t room = type_bytes(to->type, to->count);
    type_unpack(from, bytes < room ? bytes : room, to->buf, to->count, to->type);
    return bytes > room ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
}

/* Those that are needed are those of the first blocks, in this order; a barrier has no blocks. */
static int put_each(const struct blocks *take, const struct piece *piece, uint32_t pieces)
{
    int error = MPI_SUCCESS;
    for (uint32_t i = 0; i < take->n && i < pieces; i++) {
        int rc = put_into_block(&take->block[i], arena_at(piece[i].payload), piece[i].bytes);
        if (error == MPI_SUCCESS)
            error = rc;
    }
    return error;
}

/*
 * v[0] OP (v[1] OP (... OP v[n-1])): the order of the ranks, as an operator that
 * does not commute demands, and each step is one MPI_Reduce_local, which puts
 * its result into its second operand.
 */
static int fold_pieces(const struct collective *c, const struct piece *piece, uint32_t pieces)
{
    const struct block *to = c->take.block;
    uint64_t skip = type_bytes(to->type, c->skip), room = type_bytes(to->type, to->count);
    int error = MPI_SUCCESS;
    for (uint32_t i = pieces; i-- > 0;) {
        const char *from = (const char *)arena_at(piece[i].payload) + skip;
        uint64_t bytes = piece[i].bytes > skip ? piece[i].bytes - skip : 0;
        if (bytes > room)
            bytes = room;
        if (i == pieces - 1)
            type_unpack(from, bytes, to->buf, to->count, to->type);
        else
            reduction_op_apply(c->op, from, bytes, to->buf, to->type);
        if (piece[i].bytes > type_bytes(to->type, c->length))
            error = MPI_ERR_TRUNCATE;
    }
    return error;
}

/* Whether other orders than this one would have led to the same. */
static void look_at_orders(const struct collective *c, const struct piece *piece, uint32_t pieces)
{
    const struct block *to = c->take.block;
    uint64_t skip = type_bytes(to->type, c->skip), room = type_bytes(to->type, to->count);
    const char **vector = shim_alloc(pieces * sizeof *vector);
    bool whole = !comm_is_inter(c->comm) && to->buf;
    for (uint32_t i = 0; i < pieces; i++) {
        vector[i] = (const char *)arena_at(piece[i].payload) + skip;
        whole = whole && piece[i].bytes >= skip + room;
    }
    if (whole)
        reduction_orders_look(&(struct reduction){.op = c->op,
                                                  .type = to->type,
                                                  .bytes = room,
                                                  .vector = vector,
                                                  .members = pieces,
                                                  .result = to->buf,
                                                  .alike = c->alike ? (uint32_t)c->comm->local->size : 1,
                                                  .context = c->context,
                                                  .turn = c->turn});
    free(vector);
}

static void finish_collective(struct request *request, const struct completion *done)
{
    const struct collective *c = request->state;
    if (done->pieces == 0)
        return;
    request->error = c->folds ? fold_pieces(c, completion_pieces(done), done->pieces)
                              : put_each(&c->take, completion_pieces(done), done->pieces);
    if (c->folds && reduction_orders_matter(c->op, c->take.block->type))
        look_at_orders(c, completion_pieces(done), done->pieces);
}

/* Most collectives have one block of each kind, for which nothing is allocated. */
static struct op_slice *slices_of(const struct blocks *bring, struct op_slice *only)
{
    struct op_slice *slice = bring->n <= 1 ? only : shim_alloc(bring->n * sizeof *slice);
    for (uint32_t i = 0; i < bring->n; i++)
        slice[i] = (struct op_slice){
            .to = bring->block[i].position,
            .bytes = type_bytes(bring->block[i].type, bring->block[i].count),
        };
    return slice;
}

static uint32_t *positions_of(const struct blocks *take)
{
    uint32_t *position = shim_alloc(take->n * sizeof *position);
    for (uint32_t i = 0; i < take->n; i++)
        position[i] = take->block[i].position;
    return position;
}

/* Slice k is for position k. */
static bool is_ordered(const struct op_slice *slice, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (slice[i].to != (int32_t)i)
            return false;
    return n > 1;
}

static bool is_empty_block(const struct block *b)
{
    return b->count == 0 || b->type->size == 0;
}

/* Whether some block of this member has bytes: it may have several, which go by their order. */
static bool brings_bytes(const struct blocks *take, int32_t position)
{
    for (uint32_t i = 0; i < take->n; i++)
        if (take->block[i].position == position && !is_empty_block(&take->block[i]))
            return true;
    return false;
}

/* Puts the blocks of members that bring bytes first; tells how many they are. */
static uint32_t part_idle(const struct blocks *take, bool several)
{
    struct block *idle = shim_alloc((take->n + 1) * sizeof *idle);
    uint32_t n = 0, awaited = 0;
    for (uint32_t i = 0; i < take->n; i++) {
        struct block b = take->block[i];
        bool waits = !is_empty_block(&b) || (several && brings_bytes(take, b.position));
        *(waits ? &take->block[awaited++] : &idle[n++]) = b;
    }
    for (uint32_t i = 0; i < n; i++)
        take->block[awaited + i] = idle[i];
    free(idle);
    return awaited;
}

/*
 * Whose bytes are needed (M5): a member from whom nothing is taken is not waited for, and if
 * the result of a reduction is empty nobody is.  A barrier takes nothing, and waits for all.
 */
static void need_those_with_bytes(struct collective *c)
{
    bool none = c->take.n == 0, edges = c->listed;
    c->awaited = c->folds || none ? c->take.n : part_idle(&c->take, edges);
    if (c->folds && !none && is_empty_block(c->take.block))
        c->until = c->from;
    if (c->awaited == c->take.n)
        return;
    c->listed = true;
    c->from = c->until = 0;
}

/* The type of all blocks; NULL: there is no such. */
static const struct type *common_type(const struct blocks *blocks)
{
    const struct type *type = blocks->n ? blocks->block[0].type : NULL;
    for (uint32_t i = 1; i < blocks->n; i++)
        if (blocks->block[i].type != type)
            return NULL;
    return type;
}

/* How much is taken from each that is needed: one number, if from all the same, and it is not `typed`. */
static uint32_t takes_of_blocks(const struct blocks *take, bool typed, uint64_t *only, uint64_t **takes)
{
    uint32_t n = typed ? take->n : take->n ? 1 : 0;
    *takes = take->n <= 1 ? only : shim_alloc(take->n * sizeof **takes);
    for (uint32_t i = 0; i < take->n; i++) {
        (*takes)[i] = type_bytes(take->block[i].type, take->block[i].count);
        if ((*takes)[i] != (*takes)[0])
            n = take->n;
    }
    return n;
}

static bool has_several_types(const struct blocks *blocks)
{
    return blocks->n && !common_type(blocks);
}

static uint64_t *types_of(const struct blocks *bring, const struct blocks *take)
{
    uint64_t *types = shim_alloc((bring->n + take->n) * sizeof *types);
    for (uint32_t i = 0; i < bring->n; i++)
        types[i] = bring->block[i].type->signature;
    for (uint32_t i = 0; i < take->n; i++)
        types[bring->n + i] = take->block[i].type->signature;
    return types;
}

/* The block that is reported as the call's count and datatype. */
static const struct block *first_block(const struct collective *c)
{
    static const struct block none;
    return c->bring.n ? c->bring.block : c->take.n ? c->take.block : &none;
}

/*
 * Where all that is needed is what this member brings itself (the root of a
 * scatter, the first of a scan, a group of one), it takes that on the way,
 * and goes on: the others may need it, and its other threads run meanwhile.
 */
static void take_own_part(struct request *request, const char *part, uint64_t bytes)
{
    struct collective *c = request->state;
    guard_check(request);
    request->error = put_into_block(c->take.block, part, bytes);
    guard_filled_early(request);
}

static void begin_collective(struct request *request, bool blocking)
{
    struct collective *c = request->state;
    int32_t me = comm_local_position(c->comm, c->comm->rank);
    bool alone = !c->listed && c->from == (uint32_t)me && c->until == c->from + 1;
    const struct blocks awaited = {.block = c->take.block, .n = c->awaited};
    struct op_slice only_slice, *slice = slices_of(&c->bring, &only_slice);
    uint32_t *positions = c->listed ? positions_of(&c->take) : NULL;
    uint64_t only_take, *take;
    bool typed = has_several_types(&c->bring) || has_several_types(&awaited);
    uint32_t takes = takes_of_blocks(&awaited, typed, &only_take, &take);
    uint64_t *types = typed ? types_of(&c->bring, &awaited) : NULL;
    struct collective_part join = {
        .series = c->persistent ? &c->series : NULL,
        .root = c->root,
        .from = c->from,
        .until = alone ? c->from : c->until,
        .listed = positions,
        .nlisted = positions ? c->awaited : 0,
        .idle = positions ? positions + c->awaited : NULL,
        .nidle = positions ? c->take.n - c->awaited : 0,
        .slice = slice,
        .slices = c->bring.n,
        .ordered = is_ordered(slice, c->bring.n),
        .take = take,
        .takes = alone || c->folds ? 0 : takes,
        .taken = common_type(&awaited),
        .types = types,
        .brought = common_type(&c->bring),
        .reduction = c->folds ? reduction_op_number(c->op) : OPERATOR_NONE,
        .count = first_block(c)->count,
        .type = first_block(c)->type,
    };
    c->context = c->persistent ? c->series.context : c->comm->context;
    c->turn = (int32_t)(c->persistent ? c->series.turns : c->comm->turns);
    char *room = coll_begin(request, &join, blocking);
    for (uint32_t i = 0; i < c->bring.n; i++) {
        const struct block *block = &c->bring.block[i];
        type_pack(block->buf, block->count, block->type, room);
        if (alone && c->take.n && (block->position == me || block->position == SLICE_FOR_ALL))
            take_own_part(request, room, slice[i].bytes);
        room += slice[i].bytes;
    }
    coll_commit();
    if (slice != &only_slice)
        free(slice);
    if (take != &only_take)
        free(take);
    if (positions)
        free(positions);
    if (types)
        free(types);
}

static int start_collective(struct request *request)
{
    begin_collective(request, false);
    return MPI_SUCCESS;
}

static void discard_collective(struct request *request)
{
    struct collective *c = request->state;
    if (c->persistent)
        series_close(&c->series);
    collective_free(c);
}

/* Where blocks begin and end; gaps and steps backwards included. */
static struct memory_span blocks_span(const struct blocks *blocks)
{
    struct memory_span all = {UINTPTR_MAX, 0};
    for (uint32_t i = 0; i < blocks->n; i++) {
        const struct block *b = &blocks->block[i];
        if (is_empty_block(b))
            continue;
        struct memory_span one = bounds_span(b->buf, b->count, b->type);
        all.start = one.start < all.start ? one.start : all.start;
        all.end = one.end > all.end ? one.end : all.end;
    }
    return all;
}

/* Whether some block that is brought shares memory with one that is taken.  Nearly always the spans tell. */
static bool overlaps(const struct collective *c)
{
    struct memory_span bring = blocks_span(&c->bring), take = blocks_span(&c->take);
    if (bring.end <= take.start || take.end <= bring.start)
        return false;
    for (uint32_t i = 0; i < c->bring.n; i++)
        for (uint32_t k = 0; k < c->take.n; k++)
            if (type_overlap(c->bring.block[i].buf, c->bring.block[i].count, c->bring.block[i].type,
                             c->take.block[k].buf, c->take.block[k].count, c->take.block[k].type))
                return true;
    return false;
}

/* The runs of blocks, one after the other; 0: there are too many, or they are not known. */
static size_t pieces_of(const struct blocks *blocks, struct layout_piece *piece, size_t room)
{
    size_t n = 0;
    for (uint32_t i = 0; i < blocks->n; i++) {
        const struct block *b = &blocks->block[i];
        const struct layout *layout = is_empty_block(b) ? NULL : type_layout(b->type);
        if (layout && (!layout->known || layout->runs * (uint64_t)b->count > room - n))
            return 0;
        for (MPI_Count k = 0; layout && k < b->count; k++)
            for (uint32_t j = 0; j < layout->runs; j++) {
                uintptr_t start = (uintptr_t)type_at(b->buf, k, b->type) + layout->run[j].at;
                piece[n++] = (struct layout_piece){start, start + layout->run[j].bytes};
            }
    }
    return n;
}

/* From the first byte of each block to its last. */
static size_t spans_of(const struct blocks *blocks, struct layout_piece *piece, bool *gaps)
{
    size_t n = 0;
    for (uint32_t i = 0; i < blocks->n; i++) {
        const struct block *b = &blocks->block[i];
        if (is_empty_block(b))
            continue;
        struct memory_span span = bounds_span(b->buf, b->count, b->type);
        piece[n++] = (struct layout_piece){span.start, span.end};
        *gaps = *gaps || !b->type->contiguous;
    }
    return n;
}

/* "... should not cause any location to be written more than once": between blocks, and within each. */
static bool writes_twice(const struct blocks *take)
{
    enum { MOST_PIECES = 1 << 14 };
    for (uint32_t i = 0; i < take->n; i++)
        if (type_overlaps_itself(take->block[i].type, take->block[i].count))
            return true;
    if (take->n < 2)
        return false;
    bool gaps = false;
    struct layout_piece *piece = shim_alloc(take->n * sizeof *piece);
    bool twice = layout_pieces_overlap(piece, spans_of(take, piece, &gaps));
    if (twice && gaps) {
        piece = shim_realloc(piece, MOST_PIECES * sizeof *piece);
        twice = layout_pieces_overlap(piece, pieces_of(take, piece, MOST_PIECES));
    }
    free(piece);
    return twice;
}

/* The first member of an exclusive scan takes nothing. */
static bool takes_nothing(const struct collective *c)
{
    return c->take.n == 0 || (c->folds && c->from == c->until);
}

static void tell_pair(struct collective *c, const struct type *type, int error)
{
    char name[MPI_MAX_OBJECT_NAME] = "";
    const char *op = operator_name(reduction_op_number(c->op));
    int length;
    real_must(Type_get_name, type->handle, name, &length);
    const char *what = *name ? name : "a derived datatype";
    c->kind = COMPLAINT_OPERATOR_TYPE;
    collective_fail(c, error, "MPI does not allow %s on %s", op, what);
    if (error == MPI_SUCCESS)
        complain(COMPLAINT_OPERATOR_TYPE, "%s: MPI does not allow %s on %s, though this library does not refuse it",
                 call_name(shim.call), op, what);
}

/* If the library goes on in spite of what MPI says, the program does, too. */
static void check_operator(struct collective *c, const struct type *type)
{
    int error = reduction_op_check(c->op, type);
    if (!object_is_freed(OBJECT_OP, HANDLE_KEY(c->op)) && !reduction_op_is_for(c->op, type))
        tell_pair(c, type, error);
    else
        collective_fail(c, error, "the operator is null, was freed, or is not for this datatype");
}

/* Blocks of one part are all in the memory of the first; those that are apart, each in its own. */
static void check_bounds(const struct collective *c, const struct blocks *blocks, bool filled)
{
    struct memory_span all = blocks_span(blocks);
    for (uint32_t i = 0; i < blocks->n; i++) {
        const struct block *b = &blocks->block[i];
        if (is_empty_block(b))
            continue;
        bounds_check(b->buf, b->count, b->type, c->apart ? bounds_span(b->buf, b->count, b->type) : all, filled);
        if (!c->apart)
            return;
    }
}

static void check_memory(const struct collective *c)
{
    check_bounds(c, &c->bring, false);
    if (takes_nothing(c))
        return;
    check_bounds(c, &c->take, true);
    if (writes_twice(&c->take))
        complain(COMPLAINT_RECEIVE_OVERLAP, "%s: entries of the receive buffer overlap", call_name(shim.call));
}

static bool is_right(struct collective *c)
{
    const struct type *type = first_block(c)->type;
    if (c->error == MPI_SUCCESS && c->folds && type)
        check_operator(c, type);
    if (c->error == MPI_SUCCESS && !c->in_place && !takes_nothing(c) && overlaps(c))
        complain(COMPLAINT_INVALID_ARGUMENT, "%s: the send buffer and the receive buffer overlap",
                 call_name(shim.call));
    if (c->error == MPI_SUCCESS) {
        check_memory(c);
        need_those_with_bytes(c);
    }
    return c->error == MPI_SUCCESS;
}

static int refuse_collective(struct collective *c)
{
    int error = error_raise_for(c->comm, c->error, c->kind, "%s", c->why);
    collective_free(c);
    return error;
}

/* What lies where the result will is shown as that. */
static void buffers(struct request *request, request_buffer *see)
{
    const struct collective *c = request->state;
    for (uint32_t i = 0; i < c->bring.n && !c->in_place; i++)
        see(request, c->bring.block[i].buf, c->bring.block[i].count, c->bring.block[i].type->handle, false);
    for (uint32_t i = 0; i < c->take.n && !takes_nothing(c); i++)
        see(request, c->take.block[i].buf, c->take.block[i].count, c->take.block[i].type->handle, true);
}

/* Takes the collective. */
static struct request *request_of(struct collective *c)
{
    struct request *request = request_new(c->comm);
    request->state = c;
    request->start = start_collective;
    request->finish = finish_collective;
    request->discard = discard_collective;
    request->buffers = buffers;
    return request;
}

int collective_block(struct collective *c)
{
    if (!is_right(c))
        return refuse_collective(c);
    struct request *request = request_of(c);
    guard_compare(request);
    begin_collective(request, true);
    return complete_blocking(request, MPI_STATUS_IGNORE);
}

int collective_start(struct collective *c, MPI_Request *handle)
{
    if (!is_right(c))
        return refuse_collective(c);
    struct request *request = request_of(c);
    begin_collective(request, false);
    *handle = request_handle(request);
    return MPI_SUCCESS;
}

int collective_prepare(struct collective *c, MPI_Request *handle)
{
    if (!is_right(c))
        return refuse_collective(c);
    uint32_t turn = c->comm->turns;
    coll_pass(c->comm, c->root);
    series_open(&c->series, c->comm, turn);
    c->persistent = true;
    struct request *request = request_of(c);
    request->persistent = true;
    *handle = request_handle(request);
    return MPI_SUCCESS;
}
