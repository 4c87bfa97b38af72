#include "check/ready_sends.h"

#include "call/window.h"
#include "check/past.h"

static bool is_ready_send(const struct op *op)
{
    return op->kind == OP_SEND && op->flags & OPF_READY;
}

/* MPI_Win_start with MPI_MODE_NOCHECK is one to the target (MPI-4.0, 12.5.5). */
static struct defect ready_send_defect(const struct op *send)
{
    if (send->context == KEEPER_CONTEXT)
        return (struct defect){.kind = KIND_RMA_ASSERT,
                               .sentence = "MPI_Win_start with MPI_MODE_NOCHECK does not know that the target has called MPI_Win_post",
                               .advice = "start without MPI_MODE_NOCHECK, or let the target tell first that it has posted"};
    return (struct defect){.kind = KIND_READY_SEND,
                           .sentence = "a ready send does not know that its receive is posted",
                           .advice = "send the message in another mode, or let the receiver tell first that it waits"};
}

static void look_at_ready_send(const struct past *past, const struct clocked_event *send, const struct op *op,
                               defects_t *defects)
{
    const struct clocked_event *recv = past_taker(past, op);
    if (!recv || past_knows(past, recv, send))
        return;
    struct defect defect = ready_send_defect(op);
    defect.ops = 2;
    defect.op[0] = (struct defect_op){.rank = send->rank, .op = op};
    defect.op[1] = (struct defect_op){.rank = recv->rank, .op = past_op(past, recv)};
    defect.key = defect_key(&defect);
    vec_push(defects, defect);
}

void ready_sends_add(struct explorer *x, const struct run *run, defects_t *defects)
{
    struct past past;
    if (!explore_has_ready_sends(x) || run->less_slack)
        return;
    bool known = past_begin(&past, x, run, explore_players(x));
    for (size_t i = 0; known && i < past.event.n; i++) {
        const struct op *op = past_op(&past, &past.event.at[i]);
        if (is_ready_send(op))
            look_at_ready_send(&past, &past.event.at[i], op, defects);
    }
    past_release(&past);
}
