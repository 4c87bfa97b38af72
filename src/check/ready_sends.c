#include "check/ready_sends.h"

#include "check/past.h"

static bool is_ready_send(const struct op *op)
{
    return op->kind == OP_SEND && op->flags & OPF_READY;
}

static void look_at_ready_send(const struct past *past, const struct clocked_event *send, const struct op *op,
                               defects_t *defects)
{
    const struct clocked_event *recv = past_taker(past, op);
    if (!recv || past_knows(past, recv, send))
        return;
    struct defect defect = {.kind = KIND_READY_SEND,
                            .sentence = "a ready send does not know that its receive is posted",
                            .advice = "send the message in another mode, or let the receiver tell first that it waits",
                            .ops = 2,
                            .op = {{send->rank, op}, {recv->rank, past_op(past, recv)}}};
    defect.key = defect_key(&defect);
    vec_push(defects, defect);
}

void ready_sends_add(struct explorer *x, const struct run *run, int ranks, defects_t *defects)
{
    struct past past;
    if (!explore_has_ready_sends(x) || run->less_slack)
        return;
    bool known = past_begin(&past, x, run, ranks);
    for (size_t i = 0; known && i < past.event.n; i++) {
        const struct op *op = past_op(&past, &past.event.at[i]);
        if (is_ready_send(op))
            look_at_ready_send(&past, &past.event.at[i], op, defects);
    }
    past_release(&past);
}
