#include "check/past.h"

#include <string.h>

static struct map_key op_pointer_key(const struct op *op)
{
    return map_key((uint64_t)(uintptr_t)op);
}

static const struct clocked_event *find_clocked_event(const struct past *past, const struct map *map,
                                                      const struct op *op)
{
    uint32_t at;
    return map_get(map, op_pointer_key(op), &at) ? &past->event.at[at] : NULL;
}

const struct clocked_event *past_event(const struct past *past, const struct op *op)
{
    return find_clocked_event(past, &past->of_op, op);
}

const struct clocked_event *past_taker(const struct past *past, const struct op *send)
{
    return find_clocked_event(past, &past->taker_of, send);
}

const struct op *past_op(const struct past *past, const struct clocked_event *event)
{
    const struct past_segment *segment = &past->segment[event->rank].at[event->segment];
    const struct op *op = segment->ops;
    for (uint32_t i = segment->first; i < event->number; i++)
        op = op_next(op);
    return op;
}

/* ---- which operations there are, and who took which message ---- */

static bool add_segment(struct past *past, rank_t r, const struct past_segment *segment)
{
    const struct op *op = segment->ops;
    uint32_t number = (uint32_t)past->segment[r].n, known;
    vec_push(&past->segment[r], *segment);
    for (uint32_t i = 0; i < segment->count; i++, op = op_next(op)) {
        if (map_get(&past->of_op, op_pointer_key(op), &known))
            return false;
        map_put(&past->of_op, op_pointer_key(op), (uint32_t)past->event.n);
        vec_push(&past->event, (struct clocked_event){r, segment->first + i, number});
    }
    return true;
}

static bool add_rank_segments(struct past *past, struct explorer *x, const struct trail *trail, rank_t r)
{
    uint32_t first = 0;
    for (size_t i = 0; i < trail->n; i++) {
        struct history history = explore_history(x, trail->node[i]);
        struct past_segment segment = {.ops = history.ops,
                                       .count = i + 1 == trail->n ? trail->posted : history.count,
                                       .first = first,
                                       .ret = trail->ret[i]};
        first += segment.count;
        if (!add_segment(past, r, &segment))
            return false;
    }
    return true;
}

typedef VEC(uint32_t) numbers_t;

/* Where each request of a rank was last posted: event + 1; of a message that was taken, where it is received (M6). */
static void note_requests(const struct past *past, const struct past_segment *segment, numbers_t *posted)
{
    const struct op *op = segment->ops;
    for (uint32_t i = 0; i < segment->count; i++, op = op_next(op)) {
        uint32_t at;
        bool posts = op->kind == OP_RECV || op->kind == OP_SEND || op->kind == OP_TAKEN;
        if (!op->request || !posts || !map_get(&past->of_op, op_pointer_key(op), &at))
            continue;
        while (posted->n <= op->request)
            vec_push(posted, 0);
        posted->at[op->request] = at + 1;
    }
}

static void note_takers(struct past *past, rank_t r)
{
    numbers_t posted = {0};
    for (size_t i = 0; i < past->segment[r].n; i++) {
        const struct ret *ret = past->segment[r].at[i].ret;
        for (uint32_t k = 0; ret && k < ret->items; k++) {
            const struct answer_item *item = &ret->item[k];
            bool took = item->message && !(item->flags & ANSWERED_SEEN) && item->request < posted.n;
            if (!took || !posted.at[item->request])
                continue;
            map_put(&past->taker_of, op_pointer_key(item->message), posted.at[item->request] - 1);
            map_put(&past->receipt_of, op_pointer_key(item->message), (uint32_t)past->receipt.n);
            vec_push(&past->receipt, ((struct received_message){r, (uint32_t)i}));
        }
        note_requests(past, &past->segment[r].at[i], &posted);
    }
    vec_release(&posted);
}

/* The event of an operation by its name: events are in the order of ranks, and of each rank's operations. */
static uint32_t event_named(const struct past *past, struct op_name name)
{
    uint32_t at = name.op;
    for (rank_t r = 0; r < name.rank; r++)
        if (past->segment[r].n)
            at += vec_last(&past->segment[r]).first + vec_last(&past->segment[r]).count;
    return at;
}

/* Receives of which no call has told that they are complete have taken messages, too. */
static void note_pairings(struct past *past, const struct account *account)
{
    for (size_t i = 0; i < account->pairings; i++) {
        const struct pairing *pairing = &account->pairing[i];
        uint32_t send = event_named(past, pairing->send), recv = event_named(past, pairing->recv);
        if (!pairing->made || send >= past->event.n || recv >= past->event.n)
            continue;
        const struct op *sent = past_op(past, &past->event.at[send]), *taker = past_op(past, &past->event.at[recv]);
        if (sent->kind == OP_SEND && taker->kind == OP_RECV && !past_taker(past, sent))
            map_put(&past->taker_of, op_pointer_key(sent), recv);
    }
}

/* ---- clocks ---- */

static uint32_t *clock_at(const struct past *past, rank_t r, size_t segment)
{
    return &past->clock[r][segment * (size_t)past->ranks];
}

/* A clock that is being put together, and how many segments of each rank have theirs. */
struct making {
    struct past *past;
    const uint32_t *done;
    uint32_t *clock;
    bool waits; /* something that it needs is not done */
};

static void learn_from_event(struct making *making, const struct clocked_event *event)
{
    const struct past *past = making->past;
    if (!event)
        return;
    if (making->done[event->rank] <= event->segment) {
        making->waits = true;
        return;
    }
    const uint32_t *theirs = clock_at(past, event->rank, event->segment);
    for (rank_t r = 0; r < past->ranks; r++)
        making->clock[r] = theirs[r] > making->clock[r] ? theirs[r] : making->clock[r];
    if (making->clock[event->rank] <= event->number)
        making->clock[event->rank] = event->number + 1;
}

/* The latest send of the rank with this request, before the segment. */
static const struct op *sent_as(const struct past *past, rank_t r, size_t segment, uint32_t request)
{
    for (size_t i = segment; i-- > 0;) {
        const struct past_segment *s = &past->segment[r].at[i];
        const struct op *op = s->ops, *found = NULL;
        for (uint32_t k = 0; k < s->count; k++, op = op_next(op))
            if (op->request == request && op_posts(op))
                found = op;
        if (found)
            return found->kind == OP_SEND ? found : NULL;
    }
    return NULL;
}

/* Whether it is complete only when a receive has started: a synchronous send or, with limited buffering, any that is not buffered. */
static bool waits_for_receiver(const struct past *past, const struct op *send)
{
    return send->flags & OPF_SYNCHRONOUS || (!(send->flags & OPF_BUFFERED) && send->bytes >= past->slack);
}

/* From what a call returned: messages, parts of collectives, and that a synchronous send was met. */
static void learn_from(struct making *making, rank_t r, size_t segment)
{
    const struct past *past = making->past;
    const struct ret *ret = past->segment[r].at[segment].ret;
    for (uint32_t i = 0; ret && i < ret->items; i++) {
        const struct answer_item *item = &ret->item[i];
        if (item->message) {
            learn_from_event(making, past_event(past, item->message));
        } else if (!item->pieces && !(item->flags & ANSWERED_CANCELLED)) {
            const struct op *send = sent_as(past, r, segment, item->request);
            if (send && waits_for_receiver(past, send))
                learn_from_event(making, past_taker(past, send));
        }
        for (uint32_t k = 0; k < item->pieces; k++)
            learn_from_event(making, past_event(past, ret->piece[item->first_piece + k].part));
    }
}

/* False: it needs another first. */
static bool make_clock(struct past *past, const uint32_t *done, rank_t r)
{
    size_t segment = done[r];
    uint32_t *clock = clock_at(past, r, segment);
    struct making making = {past, done, clock, false};
    if (segment)
        memcpy(clock, clock_at(past, r, segment - 1), (size_t)past->ranks * sizeof *clock);
    clock[r] = past->segment[r].at[segment].first;
    learn_from(&making, r, segment);
    return !making.waits;
}

static void make_clocks(struct past *past)
{
    uint32_t *done = xcalloc((size_t)past->ranks, sizeof *done);
    for (bool any = true; any;) {
        any = false;
        for (rank_t r = 0; r < past->ranks; r++)
            while (done[r] < past->segment[r].n && make_clock(past, done, r)) {
                done[r]++;
                any = true;
            }
    }
    free(done);
}

bool past_begin(struct past *past, struct explorer *x, const struct run *run, int ranks)
{
    const struct account *account = explore_account(x, run);
    bool distinct = true;
    *past = (struct past){.ranks = ranks, .slack = explore_slack_of(x)};
    past->segment = xcalloc((size_t)ranks, sizeof *past->segment);
    past->clock = xcalloc((size_t)ranks, sizeof *past->clock);
    for (rank_t r = 0; r < ranks && distinct; r++)
        distinct = add_rank_segments(past, x, &account->trail[r], r);
    for (rank_t r = 0; r < ranks && distinct; r++) {
        note_takers(past, r);
        past->clock[r] = xcalloc(past->segment[r].n * (size_t)ranks, sizeof **past->clock);
    }
    if (distinct) {
        note_pairings(past, account);
        make_clocks(past);
    }
    return distinct;
}

void past_release(struct past *past)
{
    for (rank_t r = 0; r < past->ranks; r++) {
        vec_release(&past->segment[r]);
        free(past->clock[r]);
    }
    free(past->segment);
    free(past->clock);
    vec_release(&past->event);
    map_release(&past->of_op);
    map_release(&past->taker_of);
    map_release(&past->receipt_of);
    vec_release(&past->receipt);
}

bool past_knows(const struct past *past, const struct clocked_event *first, const struct clocked_event *second)
{
    if (first->rank == second->rank)
        return first->number < second->number;
    return clock_at(past, second->rank, second->segment)[first->rank] > first->number;
}

bool past_knows_receipt(const struct past *past, const struct op *send, const struct clocked_event *event)
{
    uint32_t at;
    if (!map_get(&past->receipt_of, op_pointer_key(send), &at))
        return false;
    struct received_message receipt = past->receipt.at[at];
    if (receipt.rank == event->rank)
        return receipt.segment <= event->segment;
    return clock_at(past, event->rank, event->segment)[receipt.rank] > past->segment[receipt.rank].at[receipt.segment].first;
}
