#include "check/buffer_room.h"

#include <inttypes.h>
#include <stdio.h>

#include "check/past.h"

/* A message that may lie in the buffer. */
struct lying {
    const struct op *op;
    uint64_t room;
    uint32_t withdrawn; /* by this operation of its rank; UINT32_MAX: it is not */
};

/* A buffer of a rank, while its operations are gone through. */
struct buffer {
    const struct past *past;
    const struct account *account;
    uint64_t size, overhead, used;
    bool told; /* that it was too full, since it was attached */
    VEC(struct lying) lying;
};

static uint32_t withdrawn_by(const struct buffer *buffer, const struct clocked_event *send)
{
    for (size_t i = 0; i < buffer->account->decisions; i++) {
        const struct decision *d = &buffer->account->decision[i];
        if (d->kind == DECIDED_CANCEL && d->set && d->rank == send->rank && d->message == send->number)
            return d->op;
    }
    return UINT32_MAX;
}

/* Those that must have left it when this operation is posted; that stays so. */
static void drop_gone(struct buffer *buffer, const struct clocked_event *now)
{
    size_t kept = 0;
    for (size_t i = 0; i < buffer->lying.n; i++) {
        struct lying lying = buffer->lying.at[i];
        if (lying.withdrawn < now->number || past_knows_receipt(buffer->past, lying.op, now))
            buffer->used -= lying.room;
        else
            buffer->lying.at[kept++] = lying;
    }
    buffer->lying.n = kept;
}

static struct defect buffer_room_defect(const struct buffer *buffer, const struct clocked_event *send,
                                        const struct op *op, uint64_t room)
{
    struct defect defect = {.kind = KIND_INSUFFICIENT_BUFFER,
                            .sentence = "a buffered send need not have room in the attached buffer",
                            .advice = "attach a larger buffer, or wait until earlier messages have been received",
                            .ops = 2,
                            .op = {{send->rank, op}, {send->rank, buffer->lying.at[0].op}}};
    snprintf(defect.how, sizeof defect.how, "%" PRIu64 " of %" PRIu64 " bytes may be taken, and %" PRIu64 " are needed",
             buffer->used, buffer->size, room);
    defect.key = defect_key(&defect);
    return defect;
}

static void put_in(struct buffer *buffer, const struct clocked_event *send, const struct op *op, defects_t *defects)
{
    uint64_t room = op->bytes + buffer->overhead;
    if (buffer->used + room > buffer->size)
        drop_gone(buffer, send);
    if (buffer->used + room > buffer->size && buffer->lying.n && !buffer->told) {
        vec_push(defects, buffer_room_defect(buffer, send, op, room));
        buffer->told = true;
    }
    buffer->used += room;
    vec_push(&buffer->lying, ((struct lying){op, room, withdrawn_by(buffer, send)}));
}

typedef VEC(struct buffer) buffers_t; /* of a rank, by number */

/* Made if need be. */
static struct buffer *buffer_numbered(buffers_t *buffers, uint32_t number)
{
    while (buffers->n <= number)
        vec_push(buffers, ((struct buffer){.past = buffers->at[0].past, .account = buffers->at[0].account}));
    return &buffers->at[number];
}

static void attach_room(struct buffer *buffer, const struct op *op)
{
    buffer->size = op->room;
    buffer->overhead = (uint64_t)op->overhead;
    buffer->used = 0;
    buffer->told = false;
    vec_clear(&buffer->lying);
}

static void look_at_buffered_sends(const struct past *past, const struct account *account, rank_t rank,
                                   defects_t *defects)
{
    buffers_t buffers = {0};
    vec_push(&buffers, ((struct buffer){.past = past, .account = account}));
    for (size_t i = 0; i < past->segment[rank].n; i++) {
        const struct op *op = past->segment[rank].at[i].ops;
        for (uint32_t k = 0; k < past->segment[rank].at[i].count; k++, op = op_next(op))
            if (op->kind == OP_ATTACHED)
                attach_room(buffer_numbered(&buffers, op->buffer), op);
            else if (op->kind == OP_SEND && op->flags & OPF_ATTACHED)
                put_in(buffer_numbered(&buffers, op->buffer), past_event(past, op), op, defects);
    }
    for (size_t i = 0; i < buffers.n; i++)
        vec_release(&buffers.at[i].lying);
    vec_release(&buffers);
}

void buffer_room_add(struct explorer *x, const struct run *run, int ranks, defects_t *defects)
{
    struct past past;
    if (!explore_has_overfull_buffers(x) || run->less_slack)
        return;
    bool known = past_begin(&past, x, run, ranks);
    for (rank_t r = 0; known && r < ranks; r++)
        look_at_buffered_sends(&past, explore_account(x, run), r, defects);
    past_release(&past);
}
