#include "check/window_clocks.h"

#include <string.h>

#include "base/hash.h"
#include "base/log.h"
#include "call/calls.h"
#include "call/window.h"
#include "check/window_past.h"

/* ---- clocks ---- */

static size_t clock_bytes(const struct window_clocks *clocks)
{
    return (size_t)clocks->width * sizeof(uint32_t);
}

static void join_clock(const struct window_clocks *clocks, uint32_t *clock, const uint32_t *other)
{
    for (rank_t r = 0; r < clocks->width; r++)
        clock[r] = other[r] > clock[r] ? other[r] : clock[r];
}

/* A new one in the pool; `from` may lie there, too, and may be NULL. */
static uint32_t keep_clock(struct window_clocks *clocks, const uint32_t *from)
{
    uint32_t at = (uint32_t)(clocks->pool.n / (size_t)clocks->width);
    size_t inside = from ? (size_t)(from - clocks->pool.at) : 0;
    bool moves = from && from >= clocks->pool.at && from < clocks->pool.at + clocks->pool.n;
    vec_reserve(&clocks->pool, (size_t)clocks->width);
    uint32_t *to = clocks->pool.at + clocks->pool.n;
    if (from)
        memcpy(to, moves ? clocks->pool.at + inside : from, clock_bytes(clocks));
    else
        memset(to, 0, clock_bytes(clocks));
    clocks->pool.n += (size_t)clocks->width;
    return at;
}

static uint32_t *kept_clock(const struct window_clocks *clocks, uint32_t at)
{
    return clocks->pool.at + (size_t)at * (size_t)clocks->width;
}

static uint32_t *segment_clock(const struct window_clocks *clocks, rank_t r, uint32_t segment)
{
    return &clocks->rank[r].clock[(size_t)segment * (size_t)clocks->width];
}

void window_clocks_at(const struct window_clocks *clocks, struct op_name name, uint32_t *clock)
{
    memcpy(clock, segment_clock(clocks, name.rank, clocks->rank[name.rank].segment_of.at[name.op]), clock_bytes(clocks));
    clock[name.rank] = name.op;
}

const uint32_t *window_clocks_of_segment(const struct window_clocks *clocks, rank_t r, uint32_t segment)
{
    return segment_clock(clocks, r, segment);
}

void window_clocks_join(const struct window_clocks *clocks, struct op_name name, uint32_t *clock)
{
    join_clock(clocks, clock, segment_clock(clocks, name.rank, clocks->rank[name.rank].segment_of.at[name.op]));
    if (clock[name.rank] <= name.op)
        clock[name.rank] = name.op + 1;
}

/* What an operation of a rank has brought it: a lock that was granted, or what an access has found that it has made itself.  False: nothing yet. */
static bool find_gain(const struct window_clocks *clocks, struct op_name name, uint32_t *at)
{
    uint32_t gain = clocks->rank[name.rank].gain[name.op];
    *at = gain - 1;
    return gain;
}

static void note_gain(struct window_clocks *clocks, struct op_name name, uint32_t at)
{
    clocks->rank[name.rank].gain[name.op] = at + 1;
}

bool window_clocks_grant(const struct window_clocks *clocks, struct op_name request)
{
    uint32_t at;
    return find_gain(clocks, request, &at);
}

void window_clocks_join_lock(const struct window_clocks *clocks, struct op_name request, uint32_t *clock)
{
    uint32_t at;
    if (find_gain(clocks, request, &at))
        join_clock(clocks, clock, kept_clock(clocks, at));
}

struct op_name window_clocks_met(const struct window_clocks *clocks, struct op_name name)
{
    static const struct op_name none = {RANK_NONE, 0};
    if (name.rank < 0 || name.rank >= clocks->ranks || name.op >= clocks->rank[name.rank].op.n)
        return none;
    struct op_name met = clocks->rank[name.rank].met[name.op];
    return met.rank ? (struct op_name){met.rank - 1, met.op} : none;
}

static void note_met(struct window_clocks *clocks, struct op_name name, struct op_name other)
{
    clocks->rank[name.rank].met[name.op] = (struct op_name){other.rank + 1, other.op};
}

static const struct op *op_named(const struct window_clocks *clocks, struct op_name name)
{
    return clocks->rank[name.rank].op.at[name.op];
}

/* ---- what there is ---- */

static bool is_at_keeper(const struct op *op, int ranks)
{
    return op->context == KEEPER_CONTEXT && op->peer >= ranks;
}

bool op_gives_lock_back(const struct op *op, int ranks)
{
    return op->kind == OP_SEND && is_at_keeper(op, ranks) && keeper_is_lock(ranks, op->peer) &&
           (op->call == CALL_Win_unlock || op->call == CALL_Win_unlock_all);
}

bool op_asks_for_lock(const struct op *op, int ranks)
{
    return op->kind == OP_SEND && is_at_keeper(op, ranks) && keeper_is_lock(ranks, op->peer) &&
           !op_gives_lock_back(op, ranks);
}

static struct map_key atomic_key(rank_t r, rank_t keeper)
{
    return map_key((uint64_t)r << 32 | (uint32_t)keeper);
}

static bool is_atomic_use(const struct op *op)
{
    const struct window_use *use = op_tail(op);
    return op->kind == OP_ACCESS && use->part == 0 && use->kind != WINDOW_PUT && use->kind != WINDOW_GET;
}

/* Of each keeper apart: messages of one rank to one memory are sent, and taken, in the order of the calls. */
static void note_atomic(struct window_clocks *clocks, rank_t r, uint32_t number, const struct op *op)
{
    if (!is_atomic_use(op))
        return;
    struct rank_record *record = &clocks->rank[r];
    rank_t keeper = window_memory_keeper(clocks->ranks, (uint32_t)op->slot, op->peer);
    if (keeper != record->last_atomic.rank && !map_get(&clocks->atomic, atomic_key(r, keeper), &record->last_atomic.op)) {
        record->last_atomic.op = (uint32_t)clocks->atomics.n;
        map_put(&clocks->atomic, atomic_key(r, keeper), record->last_atomic.op);
        vec_push(&clocks->atomics, ((atomic_uses_t){0}));
    }
    record->last_atomic.rank = keeper;
    vec_push(&clocks->atomics.at[record->last_atomic.op], number);
}

static struct map_key pointer_key(const void *pointer)
{
    return map_key((uint64_t)(uintptr_t)pointer);
}

static bool is_window_event(const struct op *op, enum window_event event)
{
    return op->kind == OP_WINDOW && op->event == event;
}

bool op_is_common_to_ranks(const struct op *op)
{
    return is_window_event(op, WINDOW_OPENED) || (op->kind == OP_COLL && op->call == CALL_Win_fence);
}

static bool posts_request(const struct op *op)
{
    return op->request && (op->kind == OP_RECV || op->kind == OP_SEND || op->kind == OP_TAKEN || op->flags & OPF_TAKE);
}

/* Whether pass_segment has to look at it. */
static bool is_marked(const struct op *op)
{
    return op->kind == OP_SEND || is_window_event(op, WINDOW_LOCKED) || posts_request(op);
}

static void add_op_of_rank(struct window_clocks *clocks, rank_t r, const struct op *op)
{
    struct rank_record *record = &clocks->rank[r];
    uint32_t number = (uint32_t)record->op.n;
    if (record->listed)
        record->op.n++;
    else
        vec_push(&record->op, op);
    vec_push(&record->segment_of, (uint32_t)record->segment.n - 1);
    if (is_marked(op))
        vec_push(&record->mark, number);
    if (op_is_common_to_ranks(op))
        vec_push(&clocks->common, ((struct op_name){r, number}));
    note_atomic(clocks, r, number, op);
    if (op->kind == OP_COLL) {
        map_put(&clocks->part, pointer_key(op), (uint32_t)clocks->parts.n);
        vec_push(&clocks->parts, ((struct op_name){r, number}));
    }
}

static bool op_learns(const struct op *op)
{
    return op->kind == OP_WINDOW && (window_event_learns(op->event) || op->event == WINDOW_HEARD);
}

/* Whoever learns something knows more from there on: a segment of its own begins. */
static void add_remark(struct window_clocks *clocks, rank_t r, const struct op *op, uint64_t remark)
{
    struct rank_record *record = &clocks->rank[r];
    struct record_segment *last = &vec_last(&record->segment);
    clocks->untold |= is_window_event(op, WINDOW_UNTOLD);
    if (op_learns(op)) {
        struct record_segment next = {.node = last->node, .first = (uint32_t)record->op.n, .learns = op};
        last->count = next.first - last->first;
        vec_push(&record->segment, next);
    }
    while (record->remark.n <= remark)
        vec_push(&record->remark, UINT32_MAX);
    record->remark.at[remark] = (uint32_t)record->op.n;
    add_op_of_rank(clocks, r, op);
}

/* ---- accesses that ranks of a play make themselves (call/shown_memory.h) ---- */

static bool hears_of(const struct op *flush, const struct op *done)
{
    return done->context == flush->context && (flush->peer == RANK_ANY || flush->peer == done->peer);
}

static bool is_lock_learned(const struct rank_record *record, const struct op *done)
{
    for (size_t i = record->learned.n; i-- > 0;)
        if (record->learned.at[i].op == (uint32_t)done->slot && record->learned.at[i].rank == done->peer)
            return true;
    return false;
}

/* What is heard of accesses that find nothing of others is that the lock is held: who knows that learns nothing from further ones. */
static bool tells_something(struct rank_record *record, const struct op *done)
{
    if (is_lock_learned(record, done))
        return done->ticket;
    vec_push(&record->learned, ((struct op_name){done->peer, (uint32_t)done->slot}));
    return true;
}

/* A flush has their results, and with it a segment begins. */
static void hear_of_done(struct rank_record *record, const struct op *flush)
{
    size_t kept = 0, before = record->heard.n;
    for (size_t i = 0; i < record->unheard.n; i++) {
        const struct op *done = record->op.at[record->unheard.at[i]];
        if (!hears_of(flush, done))
            record->unheard.at[kept++] = record->unheard.at[i];
        else if (tells_something(record, done))
            vec_push(&record->heard, record->unheard.at[i]);
    }
    record->unheard.n = kept;
    if (record->heard.n == before)
        return;
    struct record_segment *last = &vec_last(&record->segment);
    last->count = (uint32_t)record->op.n - last->first;
    struct record_segment next = {.node = last->node,
                                  .first = (uint32_t)record->op.n,
                                  .skipped = last->skipped + last->count,
                                  .heard = (uint32_t)before,
                                  .until = (uint32_t)record->heard.n};
    vec_push(&record->segment, next);
}

static void see_done_or_flush(struct rank_record *record, const struct op *op, int ranks)
{
    if (op_tells_done(op))
        vec_push(&record->unheard, (uint32_t)record->op.n);
    else if (record->unheard.n && (is_window_event(op, WINDOW_FLUSHED) || is_window_event(op, WINDOW_FLUSHED_LOCALLY)))
        hear_of_done(record, op);
    else if (record->learned.n && op_asks_for_lock(op, ranks))
        vec_clear(&record->learned);
}

/* Those that come before an operation of the segment. */
static size_t add_remarks(struct window_clocks *clocks, rank_t r, const struct node_remarks *told, size_t done,
                          uint64_t before)
{
    for (; done < told->n && told->remark[done].before - told->first <= before; done++)
        add_remark(clocks, r, told->remark[done].op, told->number + done);
    return done;
}

static void add_record_segment(struct window_clocks *clocks, rank_t r, const struct history *history, uint32_t count,
                               const struct node_remarks *told)
{
    struct rank_record *record = &clocks->rank[r];
    const struct op *op = history->ops;
    size_t done = 0;
    for (uint32_t k = 0; k < count; k++) {
        if (record->listed)
            op = record->op.at[record->op.n];
        else if (k)
            op = op_next(op);
        if (told) {
            done = add_remarks(clocks, r, told, done, k);
            vec_push(&record->number, (uint32_t)record->op.n);
        }
        see_done_or_flush(record, op, clocks->ranks);
        add_op_of_rank(clocks, r, op);
    }
    if (told && count == history->count)
        add_remarks(clocks, r, told, done, UINT64_MAX);
    struct record_segment *last = &vec_last(&record->segment);
    last->count = (uint32_t)record->op.n - last->first;
}

static void add_rank(struct window_clocks *clocks, const struct told_run *run, rank_t r, const struct window_remarks *remarks)
{
    struct rank_record *record = &clocks->rank[r];
    const struct trail *trail = &run->account->trail[r];
    record->listed = run->op && !remarks;
    if (record->listed)
        record->op.at = (const struct op **)run->op[r]; /* nothing is written there */
    for (size_t i = 0; i < trail->n; i++) {
        struct history history = run->history(run->data, trail->node[i]);
        uint32_t count = i + 1 == trail->n ? trail->posted : history.count;
        struct node_remarks told = remarks ? remarks->tell(remarks->data, trail->node[i]) : (struct node_remarks){0};
        vec_push(&record->segment, ((struct record_segment){
                                       .node = trail->node[i], .first = (uint32_t)record->op.n, .ret = trail->ret[i]}));
        add_record_segment(clocks, r, &history, count, remarks ? &told : NULL);
    }
    record->gain = xcalloc(record->op.n, sizeof *record->gain);
    record->met = xcalloc(record->op.n, sizeof *record->met);
    record->clock = xcalloc(record->segment.n * (size_t)clocks->width, sizeof *record->clock);
}

/* From the numbers of the account to those here; false: it is not there. */
static bool find_own_number(const struct window_clocks *clocks, struct op_name *name)
{
    if (name->rank >= clocks->ranks)
        return true;
    const struct rank_record *record = &clocks->rank[name->rank];
    if (name->op >= (record->number.n ? record->number.n : record->op.n))
        return false;
    if (record->number.n)
        name->op = record->number.at[name->op];
    return true;
}

static void note_taken_mail(struct window_clocks *clocks, rank_t keeper, struct op_name send)
{
    if (!clocks->keeper[keeper].taken.n)
        vec_push(&clocks->active, keeper);
    vec_push(&clocks->keeper[keeper].taken, send);
}

static void note_meeting(struct window_clocks *clocks, const struct pairing *pairing)
{
    struct op_name send = pairing->send, recv = pairing->recv;
    if (!pairing->made || !find_own_number(clocks, &send) || !find_own_number(clocks, &recv))
        return;
    if (send.rank < clocks->ranks && !op_tells_done(op_named(clocks, send))) /* nobody asks what became of those */
        note_met(clocks, send, recv);
    if (recv.rank < clocks->ranks)
        note_met(clocks, recv, send);
    else if (send.rank < clocks->ranks)
        note_taken_mail(clocks, recv.rank, send);
}

/* ---- epochs of a real job: those of a target and an origin are paired in their order ---- */

static struct map_key epoch_key(const struct op *op, rank_t target, rank_t origin, uint32_t event, uint32_t turn)
{
    return map_key2(op->context ^ (uint64_t)turn << 32, (uint64_t)target << 36 | (uint64_t)origin << 8 | event);
}

struct epoch_pairing {
    struct map count;  /* how many there were so far, of each event */
    struct map number; /* of each: number of the operation */
};

static bool is_of_target(uint32_t event)
{
    return event == WINDOW_EXPOSED_TO || event == WINDOW_HEARD;
}

static bool is_of_epoch(const struct op *op)
{
    return op->kind == OP_WINDOW && (is_of_target(op->event) || op->event == WINDOW_STARTED || op->event == WINDOW_ENDED);
}

static uint32_t next_turn(struct epoch_pairing *pairing, const struct op *op, rank_t target, rank_t origin)
{
    struct map_key key = epoch_key(op, target, origin, op->event, 0);
    uint32_t turn = map_find(&pairing->count, key, 0) + 1;
    map_put(&pairing->count, key, turn);
    return turn;
}

static void note_epoch(struct window_clocks *clocks, struct epoch_pairing *pairing, rank_t r, uint32_t number, bool pair)
{
    const struct op *op = clocks->rank[r].op.at[number];
    rank_t target = is_of_target(op->event) ? r : op->peer, origin = is_of_target(op->event) ? op->peer : r;
    uint32_t turn = next_turn(pairing, op, target, origin), other;
    if (!pair) {
        map_put(&pairing->number, epoch_key(op, target, origin, op->event, turn), number);
        return;
    }
    bool heard = op->event == WINDOW_HEARD;
    if (map_get(&pairing->number, epoch_key(op, target, origin, heard ? WINDOW_ENDED : WINDOW_EXPOSED_TO, turn), &other))
        note_met(clocks, (struct op_name){r, number}, (struct op_name){heard ? origin : target, other});
}

static void pair_epochs(struct window_clocks *clocks)
{
    struct epoch_pairing pairing = {0};
    for (int pass = 0; pass < 2; pass++) {
        map_release(&pairing.count);
        pairing.count = (struct map){0};
        for (rank_t r = 0; r < clocks->ranks; r++)
            for (uint32_t n = 0; n < clocks->rank[r].op.n; n++)
                if (is_of_epoch(clocks->rank[r].op.at[n]))
                    note_epoch(clocks, &pairing, r, n, pass == 1);
    }
    map_release(&pairing.count);
    map_release(&pairing.number);
}

/* ---- keepers ---- */

static void take_at_lock(struct window_clocks *clocks, struct keeper_record *keeper, struct op_name name)
{
    const struct op *op = op_named(clocks, name);
    if (op_gives_lock_back(op, clocks->ranks)) {
        window_clocks_join(clocks, name, keeper->all);
        if (keeper->is_alone)
            window_clocks_join(clocks, name, keeper->alone);
        keeper->is_alone = false;
        return;
    }
    keeper->is_alone = op->tag == WINDOW_EXCLUSIVE;
    if (!window_clocks_grant(clocks, name))
        note_gain(clocks, name, keep_clock(clocks, keeper->is_alone ? keeper->all : keeper->alone));
}

/* What an atomic access finds at its elements, joined; and what others will find there. */
struct atomic_visit {
    struct window_clocks *clocks;
    struct keeper_record *keeper;
    const struct window_use *use;
    struct op_name name; /* of the OP_ACCESS */
    uint32_t found;      /* clock */
};

static void leave_clock(const struct atomic_visit *visit, uint32_t at)
{
    uint32_t *clock = kept_clock(visit->clocks, at);
    if (visit->use->kind == WINDOW_ACCUMULATE && visit->use->operator == OPERATOR_REPLACE)
        memset(clock, 0, clock_bytes(visit->clocks));
    window_clocks_join(visit->clocks, visit->name, clock);
}

static bool leaves_something(const struct window_use *use)
{
    return use->kind == WINDOW_SWAP || use->operator != OPERATOR_NO_OP;
}

static void visit_element(const struct atomic_visit *visit, uint64_t at)
{
    struct map_key key = map_key(at);
    uint32_t there;
    if (map_get(&visit->keeper->location, key, &there)) {
        join_clock(visit->clocks, kept_clock(visit->clocks, visit->found), kept_clock(visit->clocks, there));
    } else if (leaves_something(visit->use)) {
        there = keep_clock(visit->clocks, NULL);
        map_put(&visit->keeper->location, key, there);
    } else {
        return;
    }
    if (leaves_something(visit->use))
        leave_clock(visit, there);
}

static uint64_t elements_of(const struct window_use *use)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < use->pieces; i++)
        bytes += window_use_pieces(use)[i].bytes;
    return use->element.extent ? bytes / use->element.extent : bytes;
}

static void visit_elements(const struct atomic_visit *visit)
{
    uint64_t extent = visit->use->element.extent ? visit->use->element.extent : 1;
    for (uint32_t i = 0; i < visit->use->pieces; i++) {
        const struct window_piece *piece = &window_use_pieces(visit->use)[i];
        for (uint64_t at = 0; at < piece->bytes; at += extent)
            visit_element(visit, piece->at + at);
    }
}

/* Those with many elements are no locks, and are not looked at one by one. */
static void visit_large(const struct atomic_visit *visit)
{
    if (!visit->keeper->large)
        visit->keeper->large = keep_clock(visit->clocks, NULL);
    window_clocks_join(visit->clocks, visit->name, kept_clock(visit->clocks, visit->keeper->large));
}

/* Which access it is that has sent the next message: the first that has sent none, or one that overtakes some of those; from then on it is the first. */
static uint32_t next_sender(atomic_uses_t *uses, uint32_t sent, int64_t overtakes)
{
    uint32_t number = uses->at[sent + (size_t)overtakes];
    memmove(uses->at + sent + 1, uses->at + sent, (size_t)overtakes * sizeof *uses->at);
    return uses->at[sent] = number;
}

/* The clock of the result; 0: it tells nothing. */
static uint32_t take_atomic(struct window_clocks *clocks, struct keeper_record *keeper, rank_t number, struct op_name name)
{
    const struct op *op = op_named(clocks, name);
    uint64_t overtakes = op->kind == OP_SEND ? (uint64_t)op->overtakes : 0;
    enum { FEW = 64 };
    uint32_t list;
    while (keeper->atomic.n < (size_t)clocks->width)
        vec_push(&keeper->atomic, 0);
    uint32_t before = keeper->atomic.at[name.rank]++;
    if (!map_get(&clocks->atomic, atomic_key(name.rank, number), &list) || clocks->atomics.at[list].n <= before ||
        clocks->atomics.at[list].n - before <= overtakes)
        return 0;
    struct op_name called = {name.rank, next_sender(&clocks->atomics.at[list], before, (int64_t)overtakes)};
    struct atomic_visit visit = {clocks, keeper, op_tail(op_named(clocks, called)), called, keep_clock(clocks, NULL)};
    if (keeper->large)
        join_clock(clocks, kept_clock(clocks, visit.found), kept_clock(clocks, keeper->large));
    if (elements_of(visit.use) <= FEW)
        visit_elements(&visit);
    else
        visit_large(&visit);
    return visit.use->kind == WINDOW_ACCUMULATE ? 0 : visit.found;
}

static void note_result(struct keeper_record *keeper, uint32_t letter, uint32_t clock)
{
    while (keeper->result.n <= letter)
        vec_push(&keeper->result, 0);
    keeper->result.at[letter] = clock + 1;
}

/* Letters that a keeper has sent when it had taken so many messages. */
static void note_letters(struct window_clocks *clocks, const struct told_run *run, rank_t number, size_t taken, uint32_t found)
{
    const struct trail *trail = &run->account->trail[number];
    if (taken >= trail->n)
        return;
    struct keeper_record *keeper = &clocks->keeper[number];
    struct history history = run->history(run->data, trail->node[taken]);
    const struct op *op = history.ops;
    uint32_t first = trail->until[taken] - history.count;
    for (uint32_t i = 0; i < history.count; i++, op = op_next(op)) {
        bool brings_news = op->kind == OP_SEND && op->tag == WINDOW_NEWS && op->bytes > sizeof(struct window_answer);
        if (brings_news)
            note_result(keeper, first + i, keep_clock(clocks, keeper->all));
        else if (op->kind == OP_SEND && op->tag == WINDOW_ATOMIC_ANSWER && found)
            note_result(keeper, first + i, found);
    }
}

static void open_keeper_record(const struct window_clocks *clocks, struct keeper_record *keeper)
{
    if (keeper->all)
        return;
    keeper->all = xcalloc((size_t)clocks->width, sizeof *keeper->all);
    keeper->alone = xcalloc((size_t)clocks->width, sizeof *keeper->alone);
}

static void take_at_keeper(struct window_clocks *clocks, const struct told_run *run, rank_t number)
{
    struct keeper_record *keeper = &clocks->keeper[number];
    struct op_name name = keeper->taken.at[keeper->done];
    const struct op *op = op_named(clocks, name);
    open_keeper_record(clocks, keeper);
    keeper->done++;
    keeper->messages += !op_tells_done(op);
    if (keeper_is_lock(clocks->ranks, number)) {
        take_at_lock(clocks, keeper, name);
        return;
    }
    window_clocks_join(clocks, name, keeper->all);
    if (op_tells_done(op)) {
        if (op->ticket)
            note_gain(clocks, name, take_atomic(clocks, keeper, number, name));
        return;
    }
    uint32_t found = window_tag_kind(op->tag) == WINDOW_ATOMIC ? take_atomic(clocks, keeper, number, name) : 0;
    note_letters(clocks, run, number, keeper->messages, found);
}

static bool is_followed(const struct window_clocks *clocks, struct op_name name)
{
    return clocks->rank[name.rank].segment_of.at[name.op] < clocks->rank[name.rank].done;
}

static bool can_take(const struct window_clocks *clocks, const struct keeper_record *keeper)
{
    return keeper->done < keeper->taken.n && is_followed(clocks, keeper->taken.at[keeper->done]);
}

/*
 * Shared locks tell nothing to each other: what comes with one is known when the exclusive ones before it are over.  Ranks take free locks themselves,
 * and a play reads of that in any order: that one was given back may be read, and stand in the list, before another was granted under which
 * something was done that the first rank has heard of.
 */
static bool grant_shared_ahead(struct window_clocks *clocks, struct keeper_record *keeper)
{
    bool any = false;
    for (size_t i = keeper->done; i < keeper->taken.n && !keeper->is_alone; i++) {
        struct op_name name = keeper->taken.at[i];
        const struct op *op = op_named(clocks, name);
        if (op_asks_for_lock(op, clocks->ranks) && op->tag == WINDOW_EXCLUSIVE)
            break;
        if (!op_asks_for_lock(op, clocks->ranks) || window_clocks_grant(clocks, name) || !is_followed(clocks, name))
            continue;
        open_keeper_record(clocks, keeper);
        note_gain(clocks, name, keep_clock(clocks, keeper->alone));
        any = true;
    }
    return any;
}

/* ---- ranks ---- */

/* A clock that is being put together. */
struct clock_making {
    struct window_clocks *clocks;
    rank_t rank;
    uint32_t *clock;
    bool waits; /* something that it needs is not done */
};

static uint32_t done_by_player(const struct window_clocks *clocks, rank_t player)
{
    return player < clocks->ranks ? clocks->rank[player].done : clocks->keeper[player].done;
}

/* Until this player has done so much.  Before that, its next clock need not be looked at again. */
static void wait_for_player(struct clock_making *making, rank_t player, uint32_t until)
{
    struct rank_record *record = &making->clocks->rank[making->rank];
    making->waits = true;
    record->awaits = player;
    record->awaits_until = until;
}

/* For what comes with an operation of this rank. */
static void wait_for_gain(struct clock_making *making, uint32_t number)
{
    making->waits = true;
    making->clocks->rank[making->rank].awaits_gain = number + 1;
}

static bool still_awaits(const struct window_clocks *clocks, const struct rank_record *record)
{
    return (record->awaits_until && done_by_player(clocks, record->awaits) < record->awaits_until) ||
           (record->awaits_gain && !record->gain[record->awaits_gain - 1]);
}

static void learn_from_op(struct clock_making *making, struct op_name name)
{
    const struct rank_record *other = &making->clocks->rank[name.rank];
    if (other->segment_of.at[name.op] >= other->done)
        wait_for_player(making, name.rank, other->segment_of.at[name.op] + 1);
    else
        window_clocks_join(making->clocks, name, making->clock);
}

static void learn_of_lock(struct clock_making *making, struct op_name request)
{
    uint32_t at;
    if (find_gain(making->clocks, request, &at))
        join_clock(making->clocks, making->clock, kept_clock(making->clocks, at));
    else
        wait_for_gain(making, request.op);
}

/* How many messages a keeper had taken when it wrote a letter.  Mostly that is about as many as were looked at. */
static size_t taken_before(const struct trail *trail, uint32_t letter, size_t about)
{
    enum { NEAR = 16 };
    size_t low = 0, high = trail->n, from = about > NEAR ? about - NEAR : 0, end = about + NEAR;
    if (from > 0 && from <= high && trail->until[from - 1] <= letter)
        low = from;
    if (end < high && trail->until[end] > letter)
        high = end;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (trail->until[middle] > letter)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* What a rank was told and need not have seen. */
static uint32_t *untouched_news(struct window_clocks *clocks, rank_t r)
{
    struct rank_record *record = &clocks->rank[r];
    if (!record->news)
        record->news = xcalloc((size_t)clocks->width, sizeof *record->news);
    return record->news;
}

static bool is_sent_by_fence(const struct rank_record *record, uint32_t number)
{
    const struct op *op = number < record->op.n ? record->op.at[number] : NULL; /* there may be none of a part of the run that was told before */
    return op && op->kind == OP_SEND && op->call == CALL_Win_fence;
}

/* What an MPI_Win_fence sends behind its collective tells no more of a rank than that does. */
static bool tells_more_than(const struct window_clocks *clocks, rank_t of, uint32_t told, uint32_t known)
{
    while (told > known && is_sent_by_fence(&clocks->rank[of], told))
        told--;
    return told > known;
}

/* In this segment it may have looked at what it was told. */
static void learn_from_news(struct clock_making *making, struct rank_record *record, const struct record_segment *segment)
{
    const struct local_touches *touches = making->clocks->touches;
    if (!record->news || (touches && touches->untouched && touches->untouched(touches->data, segment->node)))
        return;
    for (rank_t r = 0; r < making->clocks->width; r++)
        making->clocks->by_news |= tells_more_than(making->clocks, r, record->news[r], making->clock[r]);
    join_clock(making->clocks, making->clock, record->news);
    if (!making->waits) {
        free(record->news);
        record->news = NULL;
    }
}

/* A keeper has answered.  That a lock is held is known once the memory behind it has done something. */
static void learn_from_keeper(struct clock_making *making, const struct rank_record *record, const struct trail *trail,
                              struct op_name letter, const struct op *receive)
{
    struct window_clocks *clocks = making->clocks;
    uint32_t request;
    const struct keeper_record *keeper = &clocks->keeper[letter.rank];
    size_t before = taken_before(trail, letter.op, keeper->messages);
    if (keeper->messages < before) {
        wait_for_player(making, letter.rank, keeper->done + (uint32_t)before - keeper->messages);
        return;
    }
    uint32_t result = letter.op < keeper->result.n ? keeper->result.at[letter.op] : 0;
    if (result)
        join_clock(clocks, receive->tag == WINDOW_NEWS ? untouched_news(clocks, making->rank) : making->clock, kept_clock(clocks, result - 1));
    if (receive->tag != WINDOW_NEWS && map_get(&record->held, map_key((uint64_t)letter.rank + 1), &request))
        learn_of_lock(making, (struct op_name){making->rank, request});
}

static void learn_that_met(struct clock_making *making, struct op_name send)
{
    struct op_name met = window_clocks_met(making->clocks, send);
    if (met.rank == RANK_NONE)
        return;
    if (met.rank < making->clocks->ranks)
        learn_from_op(making, met);
    else if (op_asks_for_lock(op_named(making->clocks, send), making->clocks->ranks))
        learn_of_lock(making, send);
}

/* A collective call on a file need not wait for anybody (14.6: who wants an order sees to it); to open it, all have to agree. */
static bool may_go_alone(const struct op *part)
{
    static const char start[] = "MPI_File_";
    return part->call != CALL_File_open && strncmp(call_name(part->call), start, sizeof start - 1) == 0;
}

/* Whether the parts of these two, all of which are there, are the same in the same order. */
static bool are_same_parts(const struct answer_piece *a, const struct answer_piece *b, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        if (a[k].part != b[k].part)
            return false;
    return true;
}

/* What all parts of a collective tell together: mostly its members hear the same ones, one member after the other. */
static bool find_heard_together(const struct window_clocks *clocks, const struct answer_piece *piece, uint32_t n)
{
    const struct heard_together *last = &clocks->together;
    return last->clock && last->n == n && are_same_parts(last->piece, piece, n);
}

static void note_heard_together(struct window_clocks *clocks, const struct answer_piece *piece, uint32_t n, const uint32_t *clock)
{
    struct heard_together *last = &clocks->together;
    if (!last->clock)
        last->clock = xcalloc((size_t)clocks->width, sizeof *last->clock);
    memcpy(last->clock, clock, clock_bytes(clocks));
    last->piece = piece;
    last->n = n;
}

/* Each of them; into the clock of `making`. */
static void learn_from_each_part(struct clock_making *making, const struct answer_piece *piece, uint32_t n)
{
    const struct op *asked = NULL; /* mostly all parts are of the same call */
    bool alone = false;
    for (uint32_t k = 0; k < n; k++) {
        const struct op *part = piece[k].part;
        uint32_t at;
        if (part && (!asked || asked->call != part->call)) {
            alone = may_go_alone(part);
            asked = part;
        }
        if (part && !alone && map_get(&making->clocks->part, pointer_key(part), &at))
            learn_from_op(making, making->clocks->parts.at[at]);
    }
}

static void learn_from_parts(struct clock_making *making, const struct ret *ret, const struct answer_item *item)
{
    struct window_clocks *clocks = making->clocks;
    const struct answer_piece *piece = ret->piece + item->first_piece;
    if (!item->pieces)
        return;
    if (!find_heard_together(clocks, piece, item->pieces)) {
        struct clock_making together = *making;
        memset(together.clock = clocks->scratch, 0, clock_bytes(clocks));
        learn_from_each_part(&together, piece, item->pieces);
        making->waits |= together.waits;
        if (together.waits)
            return;
        note_heard_together(clocks, piece, item->pieces, together.clock);
    }
    join_clock(clocks, making->clock, clocks->together.clock);
}

/* A probe has seen a message: it was sent of late. */
static void learn_from_sight(struct clock_making *making, const struct answer_item *item)
{
    const struct rank_record *sender = &making->clocks->rank[item->source];
    for (uint32_t n = (uint32_t)sender->op.n; n-- > 0;)
        if (sender->op.at[n] == item->message) {
            learn_from_op(making, (struct op_name){item->source, n});
            return;
        }
}

static void learn_from_item(struct clock_making *making, const struct account *account, const struct answer_item *item)
{
    const struct window_clocks *clocks = making->clocks;
    const struct rank_record *record = &clocks->rank[making->rank];
    if (item->flags & ANSWERED_SEEN && item->message && item->source >= 0 && item->source < clocks->ranks)
        learn_from_sight(making, item);
    if (item->request >= record->request.n || !record->request.at[item->request] || item->flags & ANSWERED_CANCELLED)
        return;
    struct op_name posted = {making->rank, record->request.at[item->request] - 1};
    const struct op *op = op_named(clocks, posted);
    struct op_name met = window_clocks_met(clocks, posted);
    if (op->kind == OP_SEND && op->flags & OPF_SYNCHRONOUS)
        learn_that_met(making, posted);
    else if (op->kind == OP_RECV && met.rank != RANK_NONE && met.rank >= clocks->ranks)
        learn_from_keeper(making, record, &account->trail[met.rank], met, op);
    else if (op->kind != OP_SEND && met.rank != RANK_NONE)
        learn_from_op(making, met);
}

/* ---- what a rank of a real job has heard ---- */

/* The operation behind a remark that somebody has heard of; false: it is not part of this run. */
static bool find_remark(const struct window_clocks *clocks, struct window_hearsay heard, struct op_name *name)
{
    const struct rank_record *record = &clocks->rank[heard.rank];
    if (heard.remark >= record->remark.n || record->remark.at[heard.remark] == UINT32_MAX)
        return false;
    *name = (struct op_name){heard.rank, record->remark.at[heard.remark]};
    return true;
}

static bool pieces_overlap(const struct window_use *a, const struct window_use *b)
{
    for (uint32_t i = 0; i < a->pieces; i++)
        for (uint32_t k = 0; k < b->pieces; k++) {
            const struct window_piece *x = &window_use_pieces(a)[i], *y = &window_use_pieces(b)[k];
            if (x->at < y->at + y->bytes && y->at < x->at + x->bytes)
                return true;
        }
    return false;
}

static bool is_at_same_target(const struct op *a, const struct op *b)
{
    return a->context == b->context && a->peer == b->peer;
}

/*
 * The last atomic access of somebody, up to what was heard of, whose effect this one may have found (W12).  Where it takes long to find, what was heard
 * of is taken for it: then more is known than need be.
 */
static bool find_seen_access(const struct window_clocks *clocks, const struct op *fetch, struct op_name *name)
{
    enum { PATIENCE = 4096 };
    const struct rank_record *record = &clocks->rank[name->rank];
    for (uint32_t n = name->op, tries = 0; tries < PATIENCE; n--, tries++) {
        const struct op *op = record->op.at[n];
        if (is_atomic_use(op) && is_at_same_target(op, fetch) && leaves_something(op_tail(op)) &&
            pieces_overlap(op_tail(op), op_tail(fetch))) {
            name->op = n;
            return true;
        }
        if (n == 0)
            return false;
    }
    return true;
}

static void learn_from_seen(struct clock_making *making, const struct op *seen, const struct op *fetch)
{
    const struct window_hearsay *heard = op_tail(seen);
    struct op_name name;
    for (size_t i = 0; i < seen->bytes / sizeof *heard; i++)
        if (find_remark(making->clocks, heard[i], &name) && find_seen_access(making->clocks, fetch, &name))
            learn_from_op(making, name);
}

/* By the results of all atomic accesses there since the last time that it was looked. */
static void learn_from_results(struct clock_making *making, const struct op *seen, uint32_t number)
{
    const struct rank_record *record = &making->clocks->rank[making->rank];
    while (number-- > 0) {
        const struct op *op = record->op.at[number];
        if (is_window_event(op, WINDOW_SEEN) && is_at_same_target(op, seen))
            return;
        if (is_atomic_use(op) && is_at_same_target(op, seen) && ((const struct window_use *)op_tail(op))->kind != WINDOW_ACCUMULATE)
            learn_from_seen(making, seen, op);
    }
}

static void learn_from_hearsay(struct clock_making *making, const struct op *op)
{
    const struct window_hearsay *heard = op_tail(op);
    struct op_name name;
    for (size_t i = 0; i < op->bytes / sizeof *heard; i++)
        if (find_remark(making->clocks, heard[i], &name))
            learn_from_op(making, name);
}

static struct map_key held_key(const struct op *op)
{
    return map_key2(op->context, (uint64_t)op->peer + 1);
}

/* Who had the lock before; accesses under it know that from their call on. */
static void learn_of_grant(struct clock_making *making, const struct rank_record *record, const struct op *op)
{
    struct window_clocks *clocks = making->clocks;
    uint32_t request;
    uint32_t *own = making->clock, *alone = xcalloc((size_t)clocks->width, sizeof *alone);
    making->clock = alone;
    learn_from_hearsay(making, op);
    making->clock = own;
    join_clock(clocks, own, alone);
    if (!making->waits && map_get(&record->held, held_key(op), &request))
        note_gain(clocks, (struct op_name){making->rank, request}, keep_clock(clocks, alone));
    free(alone);
}

static void learn_from_remark(struct clock_making *making, const struct record_segment *segment)
{
    const struct op *op = segment->learns;
    const struct rank_record *record = &making->clocks->rank[making->rank];
    if (op->event == WINDOW_GRANTED)
        learn_of_grant(making, record, op);
    else if (op->event == WINDOW_SEEN)
        learn_from_results(making, op, segment->first);
    else if (op->event == WINDOW_NEWS_CAME)
        learn_from_hearsay(making, op);
    else if (window_clocks_met(making->clocks, (struct op_name){making->rank, segment->first}).rank != RANK_NONE)
        learn_from_op(making, window_clocks_met(making->clocks, (struct op_name){making->rank, segment->first}));
}

/* The result of an access that the rank has made itself.  That the lock is held is known by it, too. */
static void learn_from_done(struct clock_making *making, const struct rank_record *record, uint32_t number)
{
    struct window_clocks *clocks = making->clocks;
    const struct op *op = record->op.at[number];
    uint32_t at, request;
    struct op_name name = {making->rank, number};
    if (op->ticket && !find_gain(clocks, name, &at)) {
        wait_for_gain(making, number);
        return;
    }
    if (op->ticket)
        join_clock(clocks, making->clock, kept_clock(clocks, at));
    if (map_get(&record->held, map_key((uint64_t)window_lock_keeper(clocks->ranks, (uint32_t)op->slot, op->peer)), &request))
        learn_of_lock(making, (struct op_name){making->rank, request});
}

/* Of an operation that is told again; false: it is none. */
static bool take_past_clock(const struct window_clocks *clocks, rank_t r, uint32_t segment)
{
    const struct window_past *past = clocks->past;
    if (!past || r >= past->width || segment >= past->segments.at[r])
        return false;
    memcpy(segment_clock(clocks, r, segment), past_clock(past, past->first.at[r] + segment), (size_t)past->width * sizeof(uint32_t));
    return true;
}

/* False: it needs another first. */
static bool make_rank_clock(struct window_clocks *clocks, const struct account *account, rank_t r)
{
    struct rank_record *record = &clocks->rank[r];
    if (take_past_clock(clocks, r, record->done))
        return true;
    const struct record_segment *segment = &record->segment.at[record->done];
    struct clock_making making = {clocks, r, segment_clock(clocks, r, record->done), false};
    if (record->done)
        memcpy(making.clock, segment_clock(clocks, r, record->done - 1), clock_bytes(clocks));
    making.clock[r] = segment->first;
    record->awaits_until = record->awaits_gain = 0;
    if (segment->learns)
        learn_from_remark(&making, segment);
    for (uint32_t i = segment->heard; i < segment->until; i++)
        learn_from_done(&making, record, record->heard.at[i]);
    for (uint32_t i = 0; segment->ret && i < segment->ret->items; i++) {
        learn_from_item(&making, account, &segment->ret->item[i]);
        learn_from_parts(&making, segment->ret, &segment->ret->item[i]);
    }
    learn_from_news(&making, record, segment);
    return !making.waits;
}

/* Requests, and locks, from the operations of a segment. */
static void pass_segment(struct window_clocks *clocks, rank_t r)
{
    struct rank_record *record = &clocks->rank[r];
    const struct record_segment *segment = &record->segment.at[record->done];
    for (; record->passed < record->mark.n && record->mark.at[record->passed] < segment->first + segment->count; record->passed++) {
        uint32_t n = record->mark.at[record->passed];
        const struct op *op = record->op.at[n];
        if (op_asks_for_lock(op, clocks->ranks))
            map_put(&record->held, map_key((uint64_t)op->peer), n);
        else if (op_gives_lock_back(op, clocks->ranks))
            map_remove(&record->held, map_key((uint64_t)op->peer));
        else if (is_window_event(op, WINDOW_LOCKED))
            map_put(&record->held, held_key(op), n);
        if (!posts_request(op))
            continue;
        while (record->request.n <= op->request)
            vec_push(&record->request, 0);
        record->request.at[op->request] = n + 1;
    }
    record->done++;
}

/* ---- all of them ---- */

static bool advance_player(struct window_clocks *clocks, const struct told_run *run, rank_t r)
{
    bool any = false;
    if (r >= clocks->ranks) {
        for (; can_take(clocks, &clocks->keeper[r]); any = true)
            take_at_keeper(clocks, run, r);
        return any;
    }
    struct rank_record *record = &clocks->rank[r];
    for (; record->done < record->segment.n && !still_awaits(clocks, record) && make_rank_clock(clocks, run->account, r); any = true)
        pass_segment(clocks, r);
    return any;
}

/* The keeper that will say what comes with an operation. */
static rank_t keeper_of_gain(const struct window_clocks *clocks, const struct op *op)
{
    if (op_tells_done(op))
        return window_memory_keeper(clocks->ranks, (uint32_t)op->slot, op->peer);
    return op->kind == OP_SEND && is_at_keeper(op, clocks->ranks) ? op->peer : RANK_NONE;
}

/*
 * For whom a player waits that cannot go on, if one of the two is a keeper; else RANK_NONE.  Ranks that wait for ranks mostly do so for several, as in a
 * collective call, and are better looked at when all of these had their turn.
 */
static rank_t awaited_player(const struct window_clocks *clocks, rank_t r)
{
    if (r >= clocks->ranks)
        return clocks->keeper[r].done < clocks->keeper[r].taken.n ? clocks->keeper[r].taken.at[clocks->keeper[r].done].rank : RANK_NONE;
    const struct rank_record *record = &clocks->rank[r];
    if (record->done == record->segment.n || !still_awaits(clocks, record))
        return RANK_NONE;
    if (record->awaits_gain)
        return keeper_of_gain(clocks, record->op.at[record->awaits_gain - 1]);
    return record->awaits >= clocks->ranks ? record->awaits : RANK_NONE;
}

/* Lets a player go on, or the one that it waits for, and so on.  False: none of them can. */
static bool advance_first_that_can(struct window_clocks *clocks, const struct told_run *run, rank_t player)
{
    enum { LONGEST = 64 }; /* they may wait for each other */
    for (int i = 0; i < LONGEST && player >= 0 && player < clocks->players; i++) {
        if (advance_player(clocks, run, player))
            return true;
        player = awaited_player(clocks, player);
    }
    return false;
}

/* Where nobody can go on in the order of the lists. */
static bool advance_out_of_order(struct window_clocks *clocks)
{
    bool any = false;
    for (size_t i = 0; i < clocks->active.n; i++) {
        rank_t player = clocks->active.at[i];
        if (player >= clocks->ranks && keeper_is_lock(clocks->ranks, player))
            any |= grant_shared_ahead(clocks, &clocks->keeper[player]);
    }
    return any;
}

static bool is_complete(const struct window_clocks *clocks)
{
    for (rank_t r = 0; r < clocks->ranks; r++)
        if (clocks->rank[r].done < clocks->rank[r].segment.n) {
            LOG(check, "rank %d cannot be followed beyond segment %u", r, clocks->rank[r].done);
            return false;
        }
    return true;
}

/* Ranks that may be started, and were not, have done nothing, and there are many: clocks do without those behind the last one that has. */
static int count_ranks_at_work(const struct told_run *run, const struct window_remarks *remarks)
{
    int ranks = run->ranks;
    while (!remarks && ranks > 1 && run->account->trail[ranks - 1].n <= 1 && !run->account->trail[ranks - 1].posted)
        ranks--;
    return ranks;
}

static void make_all_clocks(struct window_clocks *clocks, const struct told_run *run)
{
    for (bool any = true; any;) {
        any = false;
        for (size_t i = 0; i < clocks->active.n; i++)
            while (advance_first_that_can(clocks, run, clocks->active.at[i]))
                any = true;
        any = any || advance_out_of_order(clocks);
    }
}

static void add_ranks_and_meetings(struct window_clocks *clocks, const struct told_run *run, const struct window_remarks *remarks)
{
    const struct account *account = run->account;
    for (rank_t r = 0; r < clocks->width; r++) {
        add_rank(clocks, run, r, remarks);
        vec_push(&clocks->active, r);
    }
    for (size_t i = 0; i < account->pairings; i++)
        note_meeting(clocks, &account->pairing[i]);
    for (size_t i = 0; i < account->window_pairings; i++)
        note_meeting(clocks, &account->window_pairing[i]);
}

static void open_window_clocks(struct window_clocks *clocks, const struct told_run *run, int width)
{
    *clocks = (struct window_clocks){.ranks = run->ranks, .width = width, .players = run->players};
    clocks->rank = xcalloc((size_t)run->ranks, sizeof *clocks->rank);
    clocks->keeper = xcalloc((size_t)clocks->players, sizeof *clocks->keeper);
    clocks->scratch = xcalloc((size_t)clocks->width, sizeof *clocks->scratch);
    keep_clock(clocks, NULL);
}

bool window_clocks_begin(struct window_clocks *clocks, const struct told_run *run, const struct window_remarks *remarks,
                         const struct local_touches *touches)
{
    open_window_clocks(clocks, run, count_ranks_at_work(run, remarks));
    clocks->touches = touches;
    if (remarks && !remarks->choose(remarks->data, run->account))
        return false;
    add_ranks_and_meetings(clocks, run, remarks);
    if (remarks)
        pair_epochs(clocks);
    make_all_clocks(clocks, run);
    return is_complete(clocks) && !clocks->untold;
}

/* ---- from one chapter to the next ---- */

static uint32_t keep_past_clock(struct window_clocks *clocks, const struct window_past *past, uint32_t at)
{
    uint32_t kept = keep_clock(clocks, NULL);
    memcpy(kept_clock(clocks, kept), past_clock(past, at), (size_t)past->width * sizeof(uint32_t));
    return kept;
}

static void take_past_keeper(struct window_clocks *clocks, const struct window_past *past, const struct past_keeper *before)
{
    struct keeper_record *keeper = &clocks->keeper[before->keeper];
    size_t bytes = (size_t)past->width * sizeof(uint32_t);
    open_keeper_record(clocks, keeper);
    memcpy(keeper->all, past_clock(past, before->all), bytes);
    memcpy(keeper->alone, past_clock(past, before->alone), bytes);
    keeper->is_alone = before->is_alone;
    for (size_t i = 0; i < before->location.cap; i++)
        if (before->location.slot[i].full)
            map_put(&keeper->location, before->location.slot[i].key,
                    keep_past_clock(clocks, past, before->location.slot[i].value));
    if (before->large)
        keeper->large = keep_past_clock(clocks, past, before->large - 1);
    for (size_t i = 0; i < before->atomic.n; i++)
        vec_push(&keeper->atomic, before->atomic.at[i]);
}

static void take_past(struct window_clocks *clocks, const struct window_past *past)
{
    for (size_t i = 0; i < past->keeper.n; i++)
        take_past_keeper(clocks, past, &past->keeper.at[i]);
    for (size_t i = 0; i < past->meeting.n; i++) {
        const struct past_meeting *meeting = &past->meeting.at[i];
        if (meeting->keeper != RANK_NONE)
            note_met(clocks, meeting->name, (struct op_name){meeting->keeper, 0});
        if (meeting->gain)
            note_gain(clocks, meeting->name, keep_past_clock(clocks, past, meeting->gain - 1));
    }
}

bool window_clocks_go_on(struct window_clocks *clocks, const struct told_run *run, const struct local_touches *touches,
                         const struct window_past *past)
{
    int width = count_ranks_at_work(run, NULL);
    open_window_clocks(clocks, run, width > past->width ? width : past->width);
    clocks->touches = touches;
    clocks->past = past;
    add_ranks_and_meetings(clocks, run, NULL);
    take_past(clocks, past);
    make_all_clocks(clocks, run);
    return is_complete(clocks);
}

/* With the other side of a message: who hears of one learns from there.  False: it was met by a letter, and those are not told again. */
static bool add_meeting_to_rest(const struct window_clocks *clocks, struct chapter_rest *rest, struct op_name name)
{
    struct op_name met = window_clocks_met(clocks, name);
    if (met.rank != RANK_NONE && met.rank >= clocks->ranks)
        return op_named(clocks, name)->kind == OP_SEND;
    if (met.rank != RANK_NONE)
        chapter_rest_add(rest, met, true);
    return true;
}

/* Atomic accesses that were called and not taken yet have to be told again. */
static bool are_untaken_told_again(const struct window_clocks *clocks, const struct chapter_rest *rest, struct map_key key, uint32_t list)
{
    const struct keeper_record *keeper = &clocks->keeper[(uint32_t)key.low];
    rank_t r = (rank_t)(key.low >> 32);
    uint32_t taken = (size_t)r < keeper->atomic.n ? keeper->atomic.at[r] : 0;
    for (size_t i = taken; i < clocks->atomics.at[list].n; i++)
        if (!chapter_rest_tells(rest, (struct op_name){r, clocks->atomics.at[list].at[i]}))
            return false;
    return true;
}

bool window_clocks_rest(const struct window_clocks *clocks, struct chapter_rest *rest)
{
    for (rank_t r = 0; r < clocks->width; r++) {
        const struct rank_record *record = &clocks->rank[r];
        if (record->news)
            return false;
        for (size_t i = 0; i < record->unheard.n; i++)
            chapter_rest_add(rest, (struct op_name){r, record->unheard.at[i]}, true);
        for (size_t i = 0, n = rest->kept[r].n; i < n; i++)
            if (rest->kept[r].at[i].again && !add_meeting_to_rest(clocks, rest, (struct op_name){r, rest->kept[r].at[i].number}))
                return false;
    }
    for (rank_t k = clocks->ranks; k < clocks->players; k++)
        if (clocks->keeper[k].done < clocks->keeper[k].taken.n)
            return false;
    chapter_rest_sort(rest);
    for (size_t i = 0; i < clocks->atomic.cap; i++)
        if (clocks->atomic.slot[i].full &&
            !are_untaken_told_again(clocks, rest, clocks->atomic.slot[i].key, clocks->atomic.slot[i].value))
            return false;
    return true;
}

static void leave_meeting(const struct window_clocks *clocks, const struct chapter_rest *rest, struct op_name name, uint32_t place,
                          struct window_past *past)
{
    struct past_meeting meeting = {.name = {name.rank, place}, .keeper = RANK_NONE};
    struct op_name met = window_clocks_met(clocks, name);
    uint32_t at;
    if (met.rank != RANK_NONE && met.rank >= clocks->ranks)
        meeting.keeper = met.rank;
    if (find_gain(clocks, name, &at))
        meeting.gain = 1 + window_past_add_clock(past, rest, kept_clock(clocks, at));
    if (meeting.gain || meeting.keeper != RANK_NONE)
        vec_push(&past->meeting, meeting);
}

/* The clocks of its operations that are told again come one after the other. */
static void leave_rank(const struct window_clocks *clocks, const struct chapter_rest *rest, rank_t r, struct window_past *past)
{
    const struct rank_record *record = &clocks->rank[r];
    const kept_ops_t *kept = &rest->kept[r];
    uint32_t segments = 0;
    vec_push(&past->first, (uint32_t)(past->clock.n / (size_t)past->width));
    for (size_t i = 0; i < kept->n; i++)
        if (kept->at[i].again) {
            window_past_add_clock(past, rest, segment_clock(clocks, r, record->segment_of.at[kept->at[i].number]));
            segments++;
        }
    window_past_add_clock(past, rest, segment_clock(clocks, r, (uint32_t)record->segment.n - 1));
    vec_push(&past->segments, segments + 1);
    for (size_t i = 0; i < kept->n; i++)
        if (kept->at[i].again)
            leave_meeting(clocks, rest, (struct op_name){r, kept->at[i].number}, (uint32_t)i, past);
}

/* Of those that were taken, how many are told again. */
static uint32_t count_taken_again(const struct window_clocks *clocks, const struct chapter_rest *rest, rank_t r, rank_t keeper)
{
    uint32_t list, n = 0;
    if (!map_get(&clocks->atomic, atomic_key(r, keeper), &list))
        return 0;
    for (size_t i = 0; i < clocks->keeper[keeper].atomic.at[r] && i < clocks->atomics.at[list].n; i++)
        n += chapter_rest_tells(rest, (struct op_name){r, clocks->atomics.at[list].at[i]});
    return n;
}

static void leave_keeper(const struct window_clocks *clocks, const struct chapter_rest *rest, rank_t number, struct window_past *past)
{
    const struct keeper_record *keeper = &clocks->keeper[number];
    struct past_keeper left = {.keeper = number,
                               .all = window_past_add_clock(past, rest, keeper->all),
                               .alone = window_past_add_clock(past, rest, keeper->alone),
                               .is_alone = keeper->is_alone};
    for (size_t i = 0; i < keeper->location.cap; i++)
        if (keeper->location.slot[i].full)
            map_put(&left.location, keeper->location.slot[i].key,
                    window_past_add_clock(past, rest, kept_clock(clocks, keeper->location.slot[i].value)));
    if (keeper->large)
        left.large = 1 + window_past_add_clock(past, rest, kept_clock(clocks, keeper->large));
    for (rank_t r = 0; (size_t)r < keeper->atomic.n; r++)
        vec_push(&left.atomic, count_taken_again(clocks, rest, r, number));
    vec_push(&past->keeper, left);
}

void window_clocks_leave(const struct window_clocks *clocks, const struct chapter_rest *rest, struct window_past *past)
{
    past->width = clocks->width;
    for (rank_t r = 0; r < clocks->width; r++)
        leave_rank(clocks, rest, r, past);
    for (rank_t k = clocks->ranks; k < clocks->players; k++)
        if (clocks->keeper[k].all)
            leave_keeper(clocks, rest, k, past);
}

static void release_keeper_record(struct keeper_record *keeper)
{
    vec_release(&keeper->taken);
    vec_release(&keeper->atomic);
    vec_release(&keeper->result);
    map_release(&keeper->location);
    free(keeper->all);
    free(keeper->alone);
}

static void release_rank_record(struct rank_record *record)
{
    vec_release(&record->segment);
    if (!record->listed)
        vec_release(&record->op);
    vec_release(&record->segment_of);
    vec_release(&record->mark);
    vec_release(&record->learned);
    vec_release(&record->request);
    vec_release(&record->number);
    vec_release(&record->remark);
    vec_release(&record->unheard);
    vec_release(&record->heard);
    map_release(&record->held);
    free(record->news);
    free(record->clock);
    free(record->gain);
    free(record->met);
}

void window_clocks_release(struct window_clocks *clocks)
{
    for (rank_t r = 0; r < clocks->ranks; r++)
        release_rank_record(&clocks->rank[r]);
    for (rank_t r = 0; r < clocks->players; r++)
        release_keeper_record(&clocks->keeper[r]);
    free(clocks->rank);
    free(clocks->keeper);
    free(clocks->scratch);
    free(clocks->together.clock);
    vec_release(&clocks->pool);
    vec_release(&clocks->parts);
    vec_release(&clocks->common);
    vec_release(&clocks->active);
    map_release(&clocks->part);
    map_release(&clocks->atomic);
    for (size_t i = 0; i < clocks->atomics.n; i++)
        vec_release(&clocks->atomics.at[i]);
    vec_release(&clocks->atomics);
}
