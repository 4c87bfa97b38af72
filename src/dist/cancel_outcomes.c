#include "dist/cancel_outcomes.h"

struct cancel_finder {
    struct cancel_outcomes *cancels;
    const struct store *store;
    node_id *last;
    bool further;         /* somebody is, than was known */
    rank_t rank;          /* whose history is being read: */
    uint32_t op;          /* its operations so far */
    VEC(uint32_t) posted; /* by request: its operation + 1 */
};

static void set_cancel_outcome(struct cancel_outcomes *cancels, rank_t rank, uint32_t op, enum cancel_outcome outcome)
{
    if (cancel_outcome_of(cancels, rank, op) != CANCEL_IN_TIME)
        map_put(&cancels->of, map_key2((uint64_t)rank, op), outcome);
}

enum cancel_outcome cancel_outcome_of(const struct cancel_outcomes *cancels, rank_t rank, uint32_t op)
{
    return map_find(&cancels->of, map_key2((uint64_t)rank, op), CANCEL_OPEN);
}

void cancel_outcomes_release(struct cancel_outcomes *cancels)
{
    map_release(&cancels->of);
}

uint32_t payload_op(const struct store *store, uint64_t name)
{
    return store_first_op(store, payload_node(name)) + (uint32_t)payload_number(name);
}

/* Somebody has heard of an operation in this node. */
static void reach_node(struct cancel_finder *f, node_id id)
{
    node_id *last = &f->last[f->store->node.at[id].rank];
    if (*last && store_first_op(f->store, id) <= store_first_op(f->store, *last))
        return;
    f->further = f->further || *last != id;
    *last = id;
}

static void hear_item(struct cancel_finder *f, const struct answer_item *item)
{
    uint32_t posted = item->request < f->posted.n ? f->posted.at[item->request] : 0;
    if (item->flags & ANSWERED_CANCELLED && posted)
        set_cancel_outcome(f->cancels, f->rank, posted - 1, CANCEL_IN_TIME);
    if (!item->message)
        return;
    reach_node(f, payload_node(item->message->payload));
    set_cancel_outcome(f->cancels, item->source, payload_op(f->store, item->message->payload), CANCEL_TOO_LATE);
    if (posted && !(item->flags & ANSWERED_SEEN))
        set_cancel_outcome(f->cancels, f->rank, posted - 1, CANCEL_TOO_LATE);
}

static void hear_answer(struct cancel_finder *f, const struct ret *ret)
{
    for (uint32_t i = 0; i < ret->items; i++) {
        const struct answer_item *item = &ret->item[i];
        hear_item(f, item);
        for (uint32_t k = 0; k < item->pieces; k++)
            if (ret->piece[item->first_piece + k].slice != NO_SLICE)
                reach_node(f, payload_node(ret->piece[item->first_piece + k].part->payload));
    }
}

static void note_posted_requests(struct cancel_finder *f, const struct stored *node)
{
    const struct op *op = node->ops;
    for (uint32_t i = 0; i < node->count; i++, op = op_next(op), f->op++) {
        if (op->kind != OP_SEND && op->kind != OP_RECV)
            continue;
        while (f->posted.n <= op->request)
            vec_push(&f->posted, 0);
        f->posted.at[op->request] = f->op + 1;
    }
}

static void read_history(struct cancel_finder *f, rank_t rank, const struct ret *ret)
{
    VEC(node_id) chain = {0};
    for (node_id id = f->last[rank]; id; id = f->store->node.at[id].parent)
        vec_push(&chain, id);
    f->rank = rank;
    f->op = 0;
    vec_clear(&f->posted);
    for (size_t i = chain.n; i-- > 0;) {
        const struct stored *node = &f->store->node.at[chain.at[i]];
        if (node->ret)
            hear_answer(f, node->ret);
        note_posted_requests(f, node);
    }
    if (ret)
        hear_answer(f, ret);
    vec_release(&chain);
}

static void note_decision(struct cancel_outcomes *cancels, const struct decision *d)
{
    switch (d->kind) {
    case DECIDED_CANCEL:
        set_cancel_outcome(cancels, d->rank, d->message, d->set ? CANCEL_IN_TIME : CANCEL_TOO_LATE);
        break;
    case DECIDED_MATCH:
        set_cancel_outcome(cancels, d->rank, d->op, CANCEL_TOO_LATE);
        set_cancel_outcome(cancels, d->source, d->message, CANCEL_TOO_LATE);
        break;
    case DECIDED_SEEN:
        set_cancel_outcome(cancels, d->source, d->message, CANCEL_TOO_LATE);
        break;
    case DECIDED_SOME:
    case DECIDED_NO:
    case DECIDED_CHOICE:
        break;
    }
}

void cancel_outcomes_find(struct cancel_outcomes *cancels, const struct store *store, const struct run_prefix *prefix,
                          node_id *last, rank_t rank, const struct ret *ret)
{
    struct cancel_finder f = {.cancels = cancels, .store = store, .last = last};
    *cancels = (struct cancel_outcomes){0};
    do {
        f.further = false;
        for (rank_t r = 0; r < store->ranks; r++)
            read_history(&f, r, r == rank ? ret : NULL);
    } while (f.further);
    for (size_t i = 0; i < prefix->decision.n; i++)
        note_decision(cancels, &prefix->decision.at[i]);
    for (size_t i = 0; i < prefix->pairing.n; i++) {
        const struct pairing *pair = &prefix->pairing.at[i];
        set_cancel_outcome(cancels, pair->send.rank, pair->send.op, CANCEL_TOO_LATE);
        set_cancel_outcome(cancels, pair->recv.rank, pair->recv.op, CANCEL_TOO_LATE);
    }
    vec_release(&f.posted);
}
