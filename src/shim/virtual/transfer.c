/*
 * transfer -- blocking sends and receives of a play, without requests.
 *
 * A request is for who asks later what has become of an operation.  In a call of the only thread nobody does: a send that is buffered is over once it
 * is posted, and the receive is what the answer to the call is about.  What is posted is the same.
 */
#include <string.h>

#include "shim/bodies/completion.h"
#include "shim/bodies/p2p.h"
#include "shim/bodies/requests.h"
#include "shim/channel.h"

static bool send_without_request(struct op *op, const void *buf)
{
    if (!p2p_completes_at_once(op->flags, op->bytes) || op->bytes > WIRE_INLINE)
        return false;
    op->flags |= OPF_WENT_ON;
    op->request = 0;
    channel_post(op, buf, op->bytes);
    return true;
}

static void take_own_message(const struct op *op, void *buf, const struct completion *c)
{
    uint64_t bytes = c->bytes < op->bytes ? c->bytes : op->bytes;
    shim.has_news |= shim.has_windows;
    if (bytes)
        memcpy(buf, arena_at(c->payload), bytes);
}

/* With the answer may come what receives have got whose requests were freed. */
static void receive_without_request(struct op *op, void *buf, struct completion *done)
{
    channel_post(op, NULL, 0);
    const struct answer *answer = channel_sleep();
    const struct completion *c = answer_completions(answer);
    for (uint32_t i = 0; i < answer->completions; i++, c = completion_next(c)) {
        if (c->request != op->request) {
            request_deliver(request_by_number(c->request), c);
            continue;
        }
        *done = *c;
        take_own_message(op, buf, c);
    }
    if (completions_were_taken)
        completions_were_taken();
}

bool channel_transfer(struct op *op, void *buf, struct completion *done)
{
    if (channel_head()->copied || shim_has_threads())
        return false;
    if (op->kind == OP_SEND)
        return send_without_request(op, buf);
    receive_without_request(op, buf, done);
    return true;
}
