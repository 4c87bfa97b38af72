#include "scenario/story.h"

#include <string.h>

#include "scenario/partition_calls.h"
#include "scenario/runner.h"
#include "sem/sem.h"

/* ---- events ---- */

static moment add_moment(struct story *story, enum moment_kind kind, uint32_t op)
{
    vec_push(&story->moment, (struct story_moment){.kind = kind, .op = op});
    return (moment)(story->moment.n - 1);
}

static void first_then(struct story *story, moment first, moment then)
{
    if (first && then && first != then)
        vec_push(&story->moment.at[first].after, then);
}

static bool is_posting_op(const struct story_op *o)
{
    return op_posts(o->op);
}

static uint32_t find_op(const struct story *story, rank_t rank, uint32_t number)
{
    return story->first.at[rank] + number;
}

/* ---- operations and calls, rank by rank ---- */

static void note_answer(struct story *story, uint32_t call, const struct ret *ret, const uint32_t *posted)
{
    struct story_op *o = &story->op.at[call];
    o->ret = add_moment(story, MOMENT_RETURN, call);
    o->answer = ret;
    o->said_no = !ret || (op_is_poll(o->op) && !ret->flag);
    for (uint32_t i = 0; ret && i < ret->items; i++) {
        uint32_t request = ret->item[i].request;
        if (request && request < PARTITION_LAST_NUMBER && posted[request])
            story->op.at[posted[request] - 1].request_of = call + 1;
    }
}

static void add_rank_ops(struct story *story, const struct explorer *x, rank_t rank, const struct trail *trail)
{
    uint32_t posted[PARTITION_LAST_NUMBER] = {0}, number = 0;
    moment last = 0;
    vec_push(&story->first, (uint32_t)story->op.n);
    for (size_t i = 0; i < trail->n; i++) {
        struct history history = explore_history(x, trail->node[i]);
        uint32_t count = i + 1 == trail->n ? trail->posted : history.count;
        const struct op *op = history.ops;
        if (i) {
            uint32_t call = (uint32_t)story->op.n - 1;
            note_answer(story, call, trail->ret[i], posted);
            first_then(story, last, story->op.at[call].ret);
            last = story->op.at[call].ret;
        }
        for (uint32_t k = 0; k < count; k++, op = op_next(op), number++) {
            uint32_t index = (uint32_t)story->op.n;
            struct story_op o = {.rank = rank, .number = number, .op = op, .start = add_moment(story, MOMENT_START, index)};
            o.statement = scenario_statement(story->scenario, rank, op);
            if (op->kind == OP_TAKEN)
                story->op.at[posted[op->request] - 1].received = o.start;
            else if (op->request && (op->request <= SCENARIO_REQUESTS || op->request >= PARTITION_NUMBERS) && op->kind != OP_CANCEL && op->kind != OP_FREE)
                posted[op->request] = index + 1;
            vec_push(&story->op, o);
            first_then(story, last, o.start);
            last = o.start;
        }
    }
}

/* ---- who met whom ---- */

static void add_matches(struct story *story, const struct account *account)
{
    for (size_t i = 0; i < account->pairings; i++) {
        const struct pairing *p = &account->pairing[i];
        if (!p->made)
            continue;
        uint32_t send = find_op(story, p->send.rank, p->send.op), recv = find_op(story, p->recv.rank, p->recv.op);
        moment match = add_moment(story, MOMENT_MATCH, recv);
        story->op.at[send].match = story->op.at[recv].match = match;
        story->op.at[send].with = recv + 1;
        story->op.at[recv].with = send + 1;
        first_then(story, story->op.at[send].start, match);
        first_then(story, story->op.at[recv].start, match);
    }
}

/* It does not complete before that, whatever is buffered. */
static bool waits_for_receipt(const struct story *story, const struct story_op *o)
{
    return o->op->kind == OP_RECV || o->op->flags & OPF_SYNCHRONOUS ||
           (story->scenario->slack == SLACK_ZERO && !(o->op->flags & OPF_BUFFERED));
}

/* D5: of a send that is buffered, a cancel may fail at any time. */
static void add_cancels(struct story *story, const struct account *account)
{
    for (size_t i = 0; i < account->decisions; i++) {
        const struct decision *d = &account->decision[i];
        if (d->kind != DECIDED_CANCEL)
            continue;
        struct story_op *cancel = &story->op.at[find_op(story, d->rank, d->op)];
        struct story_op *o = &story->op.at[find_op(story, d->rank, d->message)];
        if (d->set) {
            o->withdrawn = true;
            o->cancelled = cancel->start;
        } else if (waits_for_receipt(story, o)) {
            first_then(story, o->match, cancel->start);
        }
    }
}

/* When an end was out of the way. */
static moment left_at(const struct story_op *o)
{
    return o->withdrawn ? o->cancelled : o->match;
}

static bool send_fits(const struct story_op *send, rank_t at, const struct op *pattern)
{
    return send->op->kind == OP_SEND && send->op->peer == at && send->op->context == pattern->context &&
           sem_fits(send->rank, send->op->tag, pattern->peer, pattern->tag);
}

/* M2: what has to be out of the way before `then`, at which this send goes to somebody who asks for `pattern`. */
static void earlier_sends_left(struct story *story, uint32_t send, rank_t at, const struct op *pattern, moment then)
{
    for (uint32_t i = story->first.at[story->op.at[send].rank]; i < send; i++)
        if (send_fits(&story->op.at[i], at, pattern))
            first_then(story, left_at(&story->op.at[i]), then);
}

/* M3: the same for receives posted before `recv`. */
static void earlier_receives_left(struct story *story, uint32_t send, uint32_t recv, moment then)
{
    rank_t at = story->op.at[recv].rank;
    for (uint32_t i = story->first.at[at]; i < recv; i++)
        if (story->op.at[i].op->kind == OP_RECV && send_fits(&story->op.at[send], at, story->op.at[i].op))
            first_then(story, left_at(&story->op.at[i]), then);
}

static void order_pairs(struct story *story)
{
    for (uint32_t i = 0; i < story->op.n; i++) {
        const struct story_op *o = &story->op.at[i];
        if (!o->with || o->op->kind == OP_SEND)
            continue;
        earlier_sends_left(story, o->with - 1, o->rank, o->op, o->match);
        earlier_receives_left(story, o->with - 1, i, o->match);
    }
}

/* ---- completion and return ---- */

static bool is_unbuffered(const struct account *account, const struct story_op *o)
{
    for (size_t i = 0; i < account->unbuffered; i++)
        if (account->unbuffered_op[i].rank == o->rank && account->unbuffered_op[i].op == o->number)
            return true;
    return false;
}

/* When the message was received: it met a receive, or what a matched probe took was received; 0: never. */
static moment received_at(const struct story *story, const struct story_op *o)
{
    const struct story_op *other = o->with ? &story->op.at[o->with - 1] : NULL;
    return other && other->op->flags & OPF_TAKE ? other->received : o->match;
}

/* The part of the member at this position in the same collective; NULL: it did not come to it. */
static const struct story_op *find_part(const struct story *story, const struct story_op *coll, rank_t member)
{
    for (uint32_t i = story->first.at[member]; i < story->first.at[member + 1]; i++) {
        const struct story_op *o = &story->op.at[i];
        if (o->op->kind == OP_COLL && o->op->context == coll->op->context && o->op->turn == coll->op->turn)
            return o;
    }
    return NULL;
}

/* Orders the parts that it needs; false: one is not there. */
static bool order_parts(struct story *story, const struct story_op *coll, moment complete)
{
    const struct op_coll *tail = op_tail(coll->op);
    const rank_t *member = story->scenario->comms.at[coll->statement ? coll->statement->comm : 0].members.at; /* a fence is of all */
    for (uint32_t p = tail->from; p < tail->until; p++) {
        const struct story_op *part = find_part(story, coll, member[p]);
        if (!part)
            return false;
        first_then(story, part->start, complete);
    }
    return true;
}

/* Whether it completes at all: it was reported, or it could have been and nobody asked. */
static bool completes(const struct story *story, const struct account *account, const struct story_op *o)
{
    bool stuck_in_it = o->op->flags & OPF_BLOCKING && !o->ret;
    if (o->request_of || o->withdrawn)
        return true;
    if (o->op->kind == OP_COLL)
        return !stuck_in_it;
    if (waits_for_receipt(story, o))
        return received_at(story, o);
    return received_at(story, o) || !(stuck_in_it || is_unbuffered(account, o));
}

static void add_completions(struct story *story, const struct account *account)
{
    for (uint32_t i = 0; i < story->op.n; i++) {
        if (!is_posting_op(&story->op.at[i]) || !completes(story, account, &story->op.at[i]))
            continue;
        moment complete = add_moment(story, MOMENT_COMPLETE, i);
        struct story_op *o = &story->op.at[i];
        first_then(story, o->start, complete);
        if (o->op->kind == OP_COLL && !order_parts(story, o, complete))
            continue;
        o->complete = complete;
        if (o->withdrawn)
            first_then(story, o->cancelled, complete);
        else if (o->op->kind != OP_COLL && waits_for_receipt(story, o))
            first_then(story, received_at(story, o), complete);
        if (o->request_of)
            first_then(story, complete, story->op.at[o->request_of - 1].ret);
    }
}

/* A probe saw this message: it was there, it was first, and it was still free. */
static void order_probe(struct story *story, uint32_t probe)
{
    struct story_op *o = &story->op.at[probe];
    const struct answer_item *item = o->answer->item;
    uint32_t send = 0;
    if (o->op->flags & OPF_TAKE) {
        first_then(story, o->match, o->ret);
        return;
    }
    for (uint32_t i = story->first.at[item->source]; i < story->first.at[item->source + 1]; i++)
        if (story->op.at[i].op == item->message)
            send = i + 1;
    if (!send)
        return;
    first_then(story, story->op.at[send - 1].start, o->ret);
    first_then(story, o->ret, left_at(&story->op.at[send - 1]));
    earlier_sends_left(story, send - 1, o->rank, o->op, o->ret);
    earlier_receives_left(story, send - 1, probe, o->ret);
}

static void order_probes(struct story *story)
{
    for (uint32_t i = 0; i < story->op.n; i++) {
        const struct story_op *o = &story->op.at[i];
        if ((o->op->kind == OP_PROBE || o->op->kind == OP_IPROBE) && o->answer && !o->said_no && o->answer->items)
            order_probe(story, i);
    }
}

/* ---- all of it ---- */

void story_begin(struct story *story, const struct scenario *scenario, struct explorer *x, const struct run *run)
{
    const struct account *account = explore_account(x, run);
    *story = (struct story){.scenario = scenario, .account = account};
    vec_push(&story->moment, (struct story_moment){0});
    for (rank_t r = 0; r < scenario->ranks; r++)
        add_rank_ops(story, x, r, &account->trail[r]);
    vec_push(&story->first, (uint32_t)story->op.n);
    add_matches(story, account);
    add_cancels(story, account);
    order_pairs(story);
    add_completions(story, account);
    order_probes(story);
}

static void release_moment(struct story_moment *m)
{
    vec_release(&m->after);
}

void story_release(struct story *story)
{
    vec_release(&story->op);
    vec_release_each(&story->moment, release_moment);
    vec_release(&story->first);
}

moment story_find(const struct story *story, const struct scenario_event *event)
{
    const struct statement *s = &story->scenario->column[event->rank].statements.at[event->statement];
    for (uint32_t i = story->first.at[event->rank]; i < story->first.at[event->rank + 1]; i++) {
        const struct story_op *o = &story->op.at[i];
        if (o->statement != s)
            continue;
        if (event->kind == EVENT_STARTS)
            return o->start;
        if (event->kind == EVENT_RETURNS && o->ret)
            return o->ret;
        if (event->kind == EVENT_COMPLETES && is_posting_op(o) &&
            (s->word->verb != VERB_SENDRECV || o->op->kind == OP_RECV))
            return o->complete;
    }
    return 0;
}

static bool is_met(const struct story *story, rank_t rank, uint32_t statement, rank_t other_rank, uint32_t other)
{
    const struct statement *s = &story->scenario->column[rank].statements.at[statement];
    const struct statement *t = &story->scenario->column[other_rank].statements.at[other];
    for (uint32_t i = story->first.at[rank]; i < story->first.at[rank + 1]; i++) {
        const struct story_op *o = &story->op.at[i];
        if (o->statement == s && o->op->kind == OP_SEND && o->with && story->op.at[o->with - 1].statement == t &&
            story->op.at[o->with - 1].rank == other_rank)
            return true;
    }
    return false;
}

bool story_met(const struct story *story, const struct expr *e)
{
    return is_met(story, e->rank, e->index, e->other_rank, e->other) ||
           is_met(story, e->other_rank, e->other, e->rank, e->index);
}

void story_mark_after(const struct story *story, moment from, uint8_t *marks)
{
    VEC(moment) open = {0};
    vec_push(&open, from);
    while (open.n) {
        const struct story_moment *m = &story->moment.at[vec_pop(&open)];
        for (size_t i = 0; i < m->after.n; i++)
            if (!marks[m->after.at[i]]) {
                marks[m->after.at[i]] = 1;
                vec_push(&open, m->after.at[i]);
            }
    }
    vec_release(&open);
}
