/*
 * order -- sends that nobody can receive before others of the same rank are received (struct send_order).
 *
 * What is kept back is in no queue.  There is little of it at any time, and all of it belongs to epochs of windows that have
 * not begun at their targets.
 */
#include <string.h>

#include "sem/queue.h"
#include "sem/state.h"

static bool is_before(const struct oper *other, const struct oper *op)
{
    return other->owner == op->owner && other->peer == op->after && other->context == op->context &&
           other->called < op->called && (op->after_tag == TAG_ANY || other->tag == op->after_tag);
}

/*
 * How many sends of the same rank, called before this one, have to be received first; at most `most`.  What was let go is in
 * its queue as if it had been posted then, so places in queues do not tell: the numbers of the calls do.
 */
static uint32_t count_before(const struct sem *sem, const struct oper *op, uint32_t most)
{
    uint32_t channel = queue_find(sem, op->context, op->after, op->owner, TAG_ANY), n = 0;
    op_id first = channel ? sem->queue.at[channel].sends.first : OP_ID_NONE;

    for (op_id id = first; id && n < most; id = op_known(sem, id)->link[BY_CHANNEL].next)
        n += is_before(op_known(sem, id), op);
    for (size_t i = 0; i < sem->kept_back.n && n < most; i++)
        n += is_before(op_known(sem, sem->kept_back.at[i]), op);
    return n;
}

uint32_t order_waits_for(const struct sem *sem, const struct oper *op)
{
    return count_before(sem, op, UINT32_MAX);
}

static bool must_wait(const struct sem *sem, op_id id)
{
    return count_before(sem, op_known(sem, id), 1) > 0;
}

bool order_keeps_back(struct sem *sem, op_id id)
{
    if (!must_wait(sem, id)) {
        op_to_change(sem, id)->after = RANK_NONE;
        return false;
    }
    vec_push(&sem->kept_back, id);
    return true;
}

/* In its queue it comes behind what is there, so it is posted now. */
static void let_send_go(struct sem *sem, size_t i)
{
    op_id id = sem->kept_back.at[i];
    struct oper *op = op_to_change(sem, id);

    sem->kept_back.n--;
    memmove(sem->kept_back.at + i, sem->kept_back.at + i + 1, (sem->kept_back.n - i) * sizeof id);
    op->after = RANK_NONE;
    op->posted = ++sem->posted;
    match_file_send(sem, id);
}

void order_let_go(struct sem *sem, op_id received)
{
    rank_t from = op_known(sem, received)->owner, to = op_known(sem, received)->peer;

    for (size_t i = 0; i < sem->kept_back.n;) {
        op_id id = sem->kept_back.at[i];

        if (op_known(sem, id)->owner == from && op_known(sem, id)->after == to && !must_wait(sem, id))
            let_send_go(sem, i);
        else
            i++;
    }
}

bool sem_keeps_back(const struct sem *sem, rank_t at, rank_t from, context_t context, int tag)
{
    for (size_t i = 0; i < sem->kept_back.n; i++) {
        const struct oper *op = op_known(sem, sem->kept_back.at[i]);

        if (op->owner == from && op->peer == at && sem->context.at[op->context].id == context &&
            sem_fits(from, op->tag, RANK_ANY, tag))
            return true;
    }
    return false;
}

rank_t sem_held_up_by(const struct sem *sem, rank_t from)
{
    for (size_t i = 0; i < sem->kept_back.n; i++)
        if (op_known(sem, sem->kept_back.at[i])->owner == from)
            return op_known(sem, sem->kept_back.at[i])->after;
    return RANK_NONE;
}
