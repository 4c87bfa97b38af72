#include "shim/virtual/dynamic_mail.h"

#include <string.h>

#include "shim/bodies/completion.h"
#include "shim/bodies/requests.h"
#include "shim/channel.h"

static struct op letter_op(const struct dynamic_letter *letter)
{
    return (struct op){.kind = OP_SEND,
                       .peer = letter->to,
                       .tag = letter->tag,
                       .context = DYNAMIC_CONTEXT,
                       .bytes = letter->bytes,
                       .type = letter->spawn,
                       .count = letter->count};
}

static void post_letter(struct op *op, const void *body)
{
    if (op->bytes > WIRE_INLINE) {
        op->payload = arena_room(op->bytes);
        memcpy(arena_at(op->payload), body, op->bytes);
        channel_post(op, NULL, 0);
    } else {
        channel_post(op, body, op->bytes);
    }
}

void dynamic_send(const struct dynamic_letter *letter)
{
    struct op op = letter_op(letter);
    op.flags = OPF_BUFFERED | OPF_BLOCKING | OPF_WENT_ON | letter->more;
    post_letter(&op, letter->body);
}

void dynamic_send_waiting(struct comm *comm, const struct dynamic_letter *letter)
{
    struct request *r = request_new(comm);
    struct op op = letter_op(letter);
    op.flags = OPF_SYNCHRONOUS | completion_blocking_flag(r) | letter->more;
    op.request = r->number;
    request_activate(r, true, false);
    post_letter(&op, letter->body);
    complete_blocking(r, MPI_STATUS_IGNORE);
}

struct received_letter {
    void *body;
    size_t bytes;
    rank_t source;
};

static void take_letter(struct request *r, const struct completion *done)
{
    struct received_letter *letter = r->state;
    letter->source = done->source;
    letter->bytes = done->bytes;
    letter->body = shim_alloc(done->bytes);
    if (done->bytes)
        memcpy(letter->body, arena_at(done->payload), done->bytes);
}

void *dynamic_receive(struct comm *comm, rank_t from, int32_t tag, size_t *bytes, rank_t *source)
{
    struct received_letter letter = {0};
    struct request *r = request_new(comm);
    struct op op = {.kind = OP_RECV,
                    .flags = completion_blocking_flag(r),
                    .request = r->number,
                    .peer = from,
                    .tag = tag,
                    .context = DYNAMIC_CONTEXT,
                    .bytes = UINT64_C(1) << 62};
    r->finish = take_letter;
    r->state = &letter;
    request_activate(r, true, false);
    channel_post(&op, NULL, 0);
    complete_blocking(r, MPI_STATUS_IGNORE);
    *bytes = letter.bytes;
    *source = letter.source;
    return letter.body;
}
