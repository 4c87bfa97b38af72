#include "drive/answer.h"

#include <string.h>

void answer_needs(const struct ret *ret, void (*need)(void *data, uint64_t name), void *data)
{
    for (uint32_t i = 0; i < ret->items; i++) {
        const struct answer_item *item = &ret->item[i];
        if (item->message && item->message->payload && !(item->flags & ANSWERED_SEEN))
            need(data, item->message->payload);
        for (uint32_t k = 0; k < item->pieces; k++) {
            const struct answer_piece *piece = &ret->piece[item->first_piece + k];
            if (piece->slice != NO_SLICE && piece->part->payload)
                need(data, piece->part->payload);
        }
    }
}

static uint64_t op_payload_offset(struct checkpoints *checkpoints, const struct op *op)
{
    return op->payload ? payload_offset(checkpoints, op->payload) : 0;
}

static void put_in_letter(struct letter *letter, const void *data, size_t size)
{
    vec_reserve(&letter->completions, size);
    memcpy(letter->completions.at + letter->completions.n, data, size);
    letter->completions.n += size;
}

static struct piece piece_of(struct checkpoints *checkpoints, const struct answer_piece *from)
{
    struct piece piece = {.from = from->from};
    if (from->slice == NO_SLICE)
        return piece;
    const struct op_slice *slice = op_coll_slices(op_tail(from->part));
    piece.payload = op_payload_offset(checkpoints, from->part);
    for (uint32_t i = 0; i < from->slice; i++)
        piece.payload += slice[i].bytes;
    piece.bytes = slice[from->slice].bytes;
    return piece;
}

static void put_letter_item(struct letter *letter, struct checkpoints *checkpoints, const struct ret *ret,
                            const struct answer_item *item)
{
    struct completion c = {.request = item->request,
                           .source = item->source,
                           .flags = item->flags & ANSWERED_CANCELLED ? COMPLETION_CANCELLED : 0,
                           .pieces = item->pieces};
    if (item->message) {
        c.tag = item->message->tag;
        c.bytes = item->message->bytes;
        c.payload = item->flags & ANSWERED_SEEN ? 0 : op_payload_offset(checkpoints, item->message);
    }
    put_in_letter(letter, &c, sizeof c);
    for (uint32_t i = 0; i < item->pieces; i++) {
        struct piece piece = piece_of(checkpoints, &ret->piece[item->first_piece + i]);
        put_in_letter(letter, &piece, sizeof piece);
    }
}

void letter_write(struct letter *letter, struct checkpoints *checkpoints, const struct ret *ret)
{
    vec_clear(&letter->completions);
    letter->answer = (struct answer){.kind = ANSWER_GO, .flag = ret->flag, .grant = ret->noes, .completions = ret->items};
    for (uint32_t i = 0; i < ret->items; i++)
        put_letter_item(letter, checkpoints, ret, &ret->item[i]);
}
