#include "explore/runner.h"

#include "base/hash.h"
#include "call/sound.h"

static void stir_piece(struct map_key *sum, const struct answer_piece *piece)
{
    hash_stir(sum, piece->from);
    hash_stir(sum, piece->slice);
    if (piece->slice == NO_SLICE)
        return;
    hash_stir(sum, op_coll_slices(op_tail(piece->part))[piece->slice].bytes);
    hash_stir(sum, piece->content);
}

struct map_key answer_key(node_id node, const struct ret *ret)
{
    struct map_key sum = HASH_START;

    hash_stir(&sum, node);
    hash_stir(&sum, (uint64_t)(ret->noes > 0) << 33 | (uint64_t)ret->flag << 32 | ret->items);
    for (uint32_t i = 0; i < ret->items; i++) {
        const struct answer_item *item = &ret->item[i];

        hash_stir(&sum, (uint64_t)item->request << 32 | item->flags);
        hash_stir(&sum, (uint64_t)(uint32_t)item->source << 32 | item->pieces);
        if (item->message) {
            hash_stir(&sum, (uint32_t)item->message->tag);
            hash_stir(&sum, item->message->bytes);
            hash_stir(&sum, item->content);
        }
        for (uint32_t k = 0; k < item->pieces; k++)
            stir_piece(&sum, &ret->piece[item->first_piece + k]);
    }
    return sum;
}

uint64_t op_identity(const struct op *op, const uint64_t *content)
{
    struct map_key sum = HASH_START;
    uint32_t contents = op_contents(op);

    hash_stir(&sum, op->kind | (uint64_t)op->call << 16 | (uint64_t)op->flags << 32);
    hash_stir(&sum, op->request | (uint64_t)(uint32_t)op->peer << 32);
    hash_stir(&sum, (uint32_t)op->tag | (uint64_t)op->type << 32);
    hash_stir(&sum, op->context);
    hash_stir(&sum, op->bytes);
    hash_stir(&sum, (uint64_t)op->count);
    hash_stir(&sum, op->signature);
    hash_stir(&sum, op->flags & OPF_BLOCKING ? 0 : op->place);
    for (uint32_t i = 0; i < contents; i++)
        hash_stir(&sum, content[i]);
    for (size_t i = 0; i < op_tail_size(op) / sizeof(uint64_t); i++)
        hash_stir(&sum, ((const uint64_t *)op_tail(op))[i]);
    return sum.high ^ sum.low;
}

struct segment_size segment_size(const struct segment *segment)
{
    struct segment_size size = {0};
    const struct op *op = segment->ops;

    for (uint32_t i = 0; i < segment->count; i++, op = op_next(op)) {
        size.ops += op->size;
        size.contents += op_contents(op);
    }
    return size;
}

/* The kind of the last operation; OP_NONE: any, or none at all. */
static unsigned last_kind(enum segment_end end)
{
    switch (end) {
    case SEGMENT_ABORT:
        return OP_ABORT;
    case SEGMENT_ERROR:
        return OP_ERROR;
    case SEGMENT_REFUSED:
        return OP_REFUSED;
    case SEGMENT_HUNG:
        return OP_CRASH;
    case SEGMENT_CALL:
    case SEGMENT_EXIT:
    case SEGMENT_CRASH:
    case SEGMENT_DIVERGED:
    case SEGMENT_UNKNOWN:
        break;
    }
    return OP_NONE;
}

enum segment_end segment_end_by(const struct op *op)
{
    return op->kind == OP_ABORT     ? SEGMENT_ABORT
           : op->kind == OP_ERROR   ? SEGMENT_ERROR
           : op->kind == OP_REFUSED ? SEGMENT_REFUSED
                                    : SEGMENT_CRASH;
}

static bool lists_elsewhere(const struct op *op)
{
    return op_completes(op) && op->payload;
}

bool segment_is_lawful(const struct segment *segment, int ranks)
{
    const struct op *op = segment->ops, *last = NULL;

    if ((unsigned)segment->end > SEGMENT_DIVERGED)
        return false;
    for (uint32_t i = 0; i < segment->count; i++, last = op, op = op_next(op))
        if (!op_is_sound(op, op->size, ranks) || lists_elsewhere(op) || (last && op_wants_answer(last)))
            return false;
    if (!last)
        return segment->end != SEGMENT_CALL && !last_kind(segment->end);
    return op_wants_answer(last) == (segment->end == SEGMENT_CALL) &&
           (!last_kind(segment->end) || last_kind(segment->end) == last->kind);
}

uint32_t answer_slice(const struct op *part, uint32_t position, uint32_t nth)
{
    const struct op_coll *coll = op_tail(part);
    const struct op_slice *slice = op_coll_slices(coll);

    if (part->flags & OPF_ORDERED && nth == 0 && coll->slices > position)
        return position;
    for (uint32_t i = 0; i < coll->slices; i++)
        if ((slice[i].to == SLICE_FOR_ALL || slice[i].to == (int32_t)position) && nth-- == 0)
            return i;
    return NO_SLICE;
}
