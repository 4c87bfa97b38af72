#include "oracle/account_execution.h"

/* How many operations of the trail's i-th segment the rank came by. */
static uint32_t posted_of(const struct explorer *x, const struct trail *trail, size_t i)
{
    return i + 1 < trail->n ? explore_history(x, trail->node[i]).count : trail->posted;
}

static void add_return(struct execution *e, rank_t r, uint32_t index, const struct ret *ret)
{
    static const struct ret no = {0};
    VEC(uint32_t) requests = {0};
    rank_t source = RANK_NONE;
    int32_t tag = 0;

    ret = ret ? ret : &no;
    for (uint32_t i = 0; i < ret->items; i++)
        vec_push(&requests, ret->item[i].request);
    if (ret->items == 1 && ret->item[0].flags & ANSWERED_CHOSEN)
        source = ret->item[0].source;
    if (ret->items == 1 && ret->item[0].message) {
        source = ret->item[0].source;
        tag = ret->item[0].message->tag;
    }
    execution_return(e, r, index, ret->flag, requests.at, (uint32_t)requests.n, source, tag);
    vec_release(&requests);
}

static void add_trail(struct execution *e, const struct explorer *x, rank_t r, const struct trail *trail)
{
    uint32_t index = 0;

    for (size_t i = 0; i < trail->n; i++) {
        struct history history = explore_history(x, trail->node[i]);
        const struct op *op = history.ops;
        uint32_t posted = posted_of(x, trail, i);

        for (uint32_t k = 0; k < posted; k++, op = op_next(op))
            index = execution_add(e, r, op);
        if (i + 1 < trail->n)
            add_return(e, r, index, trail->ret[i + 1]);
        else
            e->rank[r].ended = history.finished || (history.end == SEGMENT_EXIT && posted == history.count);
    }
}

void execution_of_account(struct execution *e, const struct explorer *x, const struct account *account, int ranks)
{
    execution_init(e, ranks);
    for (rank_t r = 0; r < ranks; r++)
        add_trail(e, x, r, &account->trail[r]);
    for (size_t i = 0; i < account->pairings; i++) {
        const struct pairing *pairing = &account->pairing[i];

        if (!pairing->made)
            continue;
        execution_match(e, pairing->send.rank, pairing->send.op);
        execution_match(e, pairing->recv.rank, pairing->recv.op);
    }
    for (size_t i = 0; i < account->decisions; i++) {
        const struct decision *d = &account->decision[i];

        if (d->kind == DECIDED_CANCEL && !d->set)
            execution_escape(e, d->rank, d->message);
    }
}

static bool is_guess(const struct op *op)
{
    return op_is_poll(op) || op->kind == OP_CANCEL;
}

static bool is_answer(const struct op *op)
{
    if (op->kind == OP_PROBE)
        return !(op->flags & OPF_TAKE) && (op->peer == RANK_ANY || op->tag == TAG_ANY);
    return is_guess(op) || (op->kind == OP_WAIT && op->items > 1 && op->flags & (OPF_ANY | OPF_SOME));
}

static bool has_such_op(const struct execution *e, bool (*is_one)(const struct op *))
{
    for (rank_t r = 0; r < e->ranks; r++)
        for (size_t i = 0; i < e->rank[r].op.n; i++)
            if (is_one(e->rank[r].op.at[i].op))
                return true;
    return false;
}

bool execution_has_guesses(const struct execution *e)
{
    return has_such_op(e, is_guess);
}

bool execution_has_answers(const struct execution *e)
{
    return has_such_op(e, is_answer);
}

/* ---- whether a run stays on the path ---- */

/* Alike to whoever only asks what can meet; the shape of a collective is part of that. */
static bool is_alike(const struct op *a, const struct op *b)
{
    if (a->kind != b->kind || a->call != b->call || a->flags != b->flags || a->peer != b->peer || a->tag != b->tag ||
        a->context != b->context || a->items != b->items)
        return false;
    const struct op_coll *x = op_tail(a), *y = op_tail(b);
    return a->kind != OP_COLL || (x->from == y->from && x->until == y->until && x->listed == y->listed);
}

/* Of the rank: where it left, and in which segment; false: it did not. */
static bool find_departure(const struct execution *e, const struct explorer *x, rank_t r, const struct trail *trail,
                           struct departure *found, node_id *segment)
{
    const struct execution_rank *rank = &e->rank[r];
    uint32_t index = 0;

    for (size_t i = 0; i < trail->n; i++) {
        const struct op *op = explore_history(x, trail->node[i]).ops;
        uint32_t posted = posted_of(x, trail, i);

        for (uint32_t k = 0; k < posted; k++, op = op_next(op), index++) {
            const struct op *was = index < rank->op.n ? rank->op.at[index].op : NULL;

            if (was && is_alike(was, op))
                continue;
            *found = (struct departure){{r, index}, was, op};
            *segment = trail->node[i];
            return true;
        }
    }
    return false;
}

/* Segments are numbered as they were first run: who left first has the lowest, unless it was met before. */
bool execution_was_left(const struct execution *e, const struct explorer *x, const struct account *account,
                        struct departure *first)
{
    node_id earliest = NODE_NONE;

    for (rank_t r = 0; r < e->ranks; r++) {
        struct departure found;
        node_id segment;

        if (!find_departure(e, x, r, &account->trail[r], &found, &segment))
            continue;
        if (earliest == NODE_NONE || segment < earliest) {
            earliest = segment;
            *first = found;
        }
    }
    return earliest != NODE_NONE;
}
