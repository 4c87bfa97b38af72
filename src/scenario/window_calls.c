#include "scenario/window_calls.h"

#include <string.h>

#include "base/hash.h"
#include "call/window.h"

/* Numbers of requests behind those of statements: two of each origin for win_post, and those of the call at hand. */
enum {
    REQUEST_START = SCENARIO_REQUESTS + 1,
    REQUEST_COMPLETE = REQUEST_START + SCENARIO_RANKS,
    REQUEST_CALL = REQUEST_COMPLETE + SCENARIO_RANKS,
};

static struct machine_window *window_of(const struct going *g)
{
    return &g->r.machine->window;
}

static rank_t memory_keeper_of(const struct going *g, rank_t target)
{
    return window_memory_keeper(g->r.scenario->ranks, 0, target);
}

static rank_t lock_keeper_of(const struct going *g, rank_t target)
{
    return window_lock_keeper(g->r.scenario->ranks, 0, target);
}

static uint64_t place_of(const struct going *g, const struct statement *s)
{
    return (uint64_t)(s - g->r.scenario->column[g->r.rank].statements.at) + 1;
}

/* ---- messages ---- */

/* Whatever is sent for an epoch with a shared lock need not be behind an exclusive one before it. */
static uint32_t order_of_epoch(const struct going *g, rank_t target)
{
    return window_of(g)->lock[target] == HELD_SHARED ? OPF_AFTER_SHARED : 0;
}

/* Its text is kept for the keeper; `after`: RANK_NONE, or whom it is kept back for. */
static void emit_message(struct going *g, struct op op, rank_t after, const void *text, size_t bytes)
{
    op.kind = OP_SEND;
    op.context = KEEPER_CONTEXT;
    op.bytes = bytes;
    if (after != RANK_NONE) {
        op.flags |= OPF_AFTER;
        op.after = after;
    }
    op.payload = window_keepers_keep(&g->out->keepers, text, bytes);
    emit_op(g, &op, NULL, 0);
    vec_push(&g->out->contents, hash_bytes(1, text, bytes) | 1);
}

static const uint32_t sent_at_once = OPF_BUFFERED | OPF_BLOCKING | OPF_WENT_ON;

/* A message between ranks, whose content is a number; for the call, if that waits for it. */
static void emit_word(struct going *g, const struct statement *s, rank_t to, int32_t kind, uint32_t flags, int32_t value)
{
    struct op op = {.kind = OP_SEND,
                    .flags = flags,
                    .request = flags & OPF_WENT_ON ? 0 : REQUEST_CALL,
                    .peer = to,
                    .place = place_of(g, s),
                    .tag = window_tag(kind, 0),
                    .context = KEEPER_CONTEXT,
                    .bytes = VALUE_BYTES};
    emit_op(g, &op, NULL, 0);
    emit_content(g, value);
}

static void emit_receive(struct going *g, rank_t from, int32_t tag, uint32_t request, uint32_t flags)
{
    struct op op = {.kind = OP_RECV,
                    .flags = flags,
                    .request = request,
                    .peer = from,
                    .tag = tag,
                    .context = KEEPER_CONTEXT,
                    .bytes = WINDOW_ANSWER_ROOM};
    emit_op(g, &op, NULL, 0);
}

/* ---- accesses (W1, W2) ---- */

static bool access_reads(const struct statement *s)
{
    return s->word->access != WINDOW_PUT && s->word->access != WINDOW_ACCUMULATE;
}

static bool is_atomic(const struct statement *s)
{
    return s->word->access != WINDOW_PUT && s->word->access != WINDOW_GET;
}

struct access_text {
    struct window_message head;
    struct window_access access;
    struct window_piece piece;
    int32_t data[2];
};

static struct access_text access_text(const struct statement *s, int32_t value, int32_t compared, uint16_t flags)
{
    bool brings = s->word->access != WINDOW_GET && s->reduction != OPERATOR_NO_OP, swaps = s->word->access == WINDOW_SWAP;
    return (struct access_text){
        .head = {.kind = WINDOW_ACCESS, .flags = flags, .accesses = 1},
        .access = {.kind = s->word->access,
                   .operator = (uint16_t)s->reduction,
                   .pieces = 1,
                   .bytes = !brings ? 0 : swaps ? 2 * VALUE_BYTES : VALUE_BYTES,
                   .extent = VALUE_BYTES,
                   .element = {.number = WINDOW_SIGNED, .size = VALUE_BYTES, .extent = VALUE_BYTES}},
        .piece = {s->number * VALUE_BYTES, VALUE_BYTES},
        .data = {swaps ? compared : value, swaps ? value : 0},
    };
}

/* Sends an access, and posts the receive of its answer; `counted`: that is wanted only if there is a result. */
static void send_scenario_access(struct going *g, const struct statement *s, rank_t after, bool counted)
{
    struct machine_window *w = window_of(g);
    uint32_t slot = (uint32_t)s->slot;
    bool answered = !counted || access_reads(s);
    struct access_text text = access_text(s, w->brought[slot], w->compared[slot],
                                          (counted ? WINDOW_COUNTED : 0) | (answered ? WINDOW_WANTS_ANSWER : 0));
    struct op op = {.flags = sent_at_once | (is_atomic(s) ? 0 : OPF_CALM) | (answered ? OPF_ASKS : 0) | order_of_epoch(g, s->peer.rank),
                    .peer = memory_keeper_of(g, s->peer.rank),
                    .tag = is_atomic(s) ? window_tag(WINDOW_ATOMIC, window_access_class(&text.access)) : WINDOW_CALM};
    emit_message(g, op, after, &text, sizeof text - sizeof text.data + op_round(text.access.bytes));
    g->r.machine->active[slot] = answered ? ACCESS_AWAITED : ACCESS_NONE;
    if (answered)
        emit_receive(g, op.peer, is_atomic(s) ? WINDOW_ATOMIC_ANSWER : WINDOW_ANSWER, slot + 1, 0);
    w->brought[slot] = w->compared[slot] = 0;
}

static void issue_access(struct going *g, const struct statement *s)
{
    struct machine_window *w = window_of(g);
    rank_t target = s->peer.rank;
    bool swaps = s->word->access == WINDOW_SWAP, started = w->started >> target & 1;
    machine_post(g->r, s, (uint32_t)s->slot, true);
    w->compared[s->slot] = swaps ? machine_value(g->r, s, 0) : 0;
    w->brought[s->slot] = machine_value(g->r, s, swaps ? 1 : 0);
    if (g->r.machine->state != MACHINE_RUNS)
        return;
    if (started) {
        w->counted[target]++;
        send_scenario_access(g, s, target, true);
    } else if (w->lock[target]) {
        send_scenario_access(g, s, lock_keeper_of(g, target), false);
    } else if (w->fence_open && !w->started) {
        g->r.machine->active[s->slot] = ACCESS_QUEUED;
    } else {
        machine_fail(g->r, FAULT_EPOCH);
    }
}

/* The accesses of this rank to some targets that are in this state: their slots. */
static uint32_t find_accesses(const struct going *g, uint32_t targets, enum access_state state, uint32_t *slots)
{
    const struct column *column = &g->r.scenario->column[g->r.rank];
    uint32_t n = 0;
    for (uint32_t i = 0; i < column->slots.n; i++) {
        const struct statement *s = &column->statements.at[column->slots.at[i].statement];
        if (s->word->verb == VERB_ACCESS && targets >> s->peer.rank & 1 && g->r.machine->active[i] == state)
            slots[n++] = i;
    }
    return n;
}

/* Waits for the answers from these targets; false: there is nothing to wait for. */
static bool await_answers(struct going *g, const struct statement *s, uint32_t targets)
{
    uint32_t numbers[SCENARIO_REQUESTS], n = find_accesses(g, targets, ACCESS_AWAITED, numbers);
    for (uint32_t i = 0; i < n; i++)
        numbers[i]++;
    if (n)
        emit_wait_for(g, &(struct op){.kind = OP_WAIT, .call = (uint16_t)s->word->call, .peer = RANK_NONE, .place = place_of(g, s)},
                      numbers, n);
    return n;
}

/* ---- locks (W3) ---- */

static bool issue_lock(struct going *g, const struct statement *s, rank_t target, bool shared)
{
    static const struct window_lock_message wish = {.kind = WINDOW_LOCK_SHARED};
    rank_t keeper = lock_keeper_of(g, target);
    window_of(g)->lock[target] = shared ? HELD_SHARED : HELD_EXCLUSIVE;
    struct op op = {.flags = OPF_BLOCKING | (target == g->r.rank ? OPF_SYNCHRONOUS : 0) | order_of_epoch(g, target),
                    .request = REQUEST_CALL,
                    .peer = keeper,
                    .place = place_of(g, s),
                    .tag = shared ? WINDOW_SHARED : WINDOW_EXCLUSIVE};
    emit_message(g, op, keeper, &wish, shared ? sizeof wish : 0);
    return true;
}

/* The rank's own lock, which the call has to wait for, comes last: the others may be granted meanwhile. */
static rank_t stage_of_lock_all(const struct going *g, int stage)
{
    if (stage == g->r.scenario->ranks - 1)
        return g->r.rank;
    return stage < g->r.rank ? stage : stage + 1;
}

static void release_locks(struct going *g, uint32_t targets)
{
    static const struct window_lock_message release = {.kind = WINDOW_RELEASE};
    for (rank_t r = 0; r < g->r.scenario->ranks; r++)
        if (targets >> r & 1) {
            struct op op = {.flags = sent_at_once | order_of_epoch(g, r),
                            .peer = lock_keeper_of(g, r),
                            .tag = window_of(g)->lock[r] == HELD_SHARED ? WINDOW_SHARED : WINDOW_GIVES_BACK};
            emit_message(g, op, op.peer, &release, sizeof release);
            window_of(g)->lock[r] = HELD_NONE;
        }
}

static uint32_t locked(const struct machine_window *w)
{
    uint32_t targets = 0;
    for (rank_t r = 0; r < SCENARIO_RANKS; r++)
        targets |= (uint32_t)(w->lock[r] != HELD_NONE) << r;
    return targets;
}

static rank_t only_rank(uint32_t group)
{
    return (rank_t)__builtin_ctz(group);
}

/* ---- post, start, complete, wait (W4) ---- */

static void issue_post(struct going *g, const struct statement *s)
{
    window_of(g)->posted = s->group;
    for (rank_t r = 0; r < g->r.scenario->ranks; r++)
        if (s->group >> r & 1) {
            emit_receive(g, r, window_tag(WINDOW_START, 0), REQUEST_START + (uint32_t)r, 0);
            emit_receive(g, r, window_tag(WINDOW_COMPLETE, 0), REQUEST_COMPLETE + (uint32_t)r, 0);
        }
}

/* One target in each stage. */
static bool issue_start(struct going *g, const struct statement *s)
{
    struct machine_window *w = window_of(g);
    while (w->stage < g->r.scenario->ranks && !(s->group >> w->stage & 1))
        w->stage++;
    if (w->stage >= g->r.scenario->ranks)
        return false;
    w->started |= UINT32_C(1) << w->stage;
    w->counted[w->stage] = 0;
    emit_word(g, s, w->stage, WINDOW_START, OPF_BLOCKING, 0);
    return true;
}

static bool issue_complete(struct going *g, const struct statement *s)
{
    struct machine_window *w = window_of(g);
    uint32_t targets = w->started;
    for (rank_t r = 0; r < g->r.scenario->ranks && w->stage == 0; r++)
        if (targets >> r & 1)
            emit_word(g, s, r, WINDOW_COMPLETE, sent_at_once, (int32_t)w->counted[r]);
    if (w->stage == 0 && await_answers(g, s, targets))
        return true;
    w->started = 0;
    return false;
}

/* What was announced has to reach the memory: that is asked by an exchange of nothing. */
static void await_memory(struct going *g)
{
    struct window_message ask = {
        .kind = WINDOW_EXCHANGE, .flags = WINDOW_WANTS_ANSWER, .expected = window_of(g)->expected};
    rank_t memory = memory_keeper_of(g, g->r.rank);
    emit_message(g, (struct op){.flags = sent_at_once | OPF_CALM | OPF_ASKS, .peer = memory, .tag = WINDOW_CALM}, RANK_NONE, &ask,
                 sizeof ask);
    emit_receive(g, memory, WINDOW_NEWS, REQUEST_CALL, OPF_BLOCKING);
}

static bool issue_wait(struct going *g, const struct statement *s)
{
    struct machine_window *w = window_of(g);
    uint32_t numbers[2 * SCENARIO_RANKS], n = 0;
    for (uint32_t r = 0; r < SCENARIO_RANKS; r++)
        if (w->posted >> r & 1) {
            numbers[n++] = REQUEST_START + r;
            numbers[n++] = REQUEST_COMPLETE + r;
        }
    if (w->stage == 0)
        emit_wait_for(g, &(struct op){.kind = OP_WAIT, .call = (uint16_t)s->word->call, .peer = RANK_NONE}, numbers, n);
    else if (w->stage == 1)
        await_memory(g);
    else
        w->posted = 0;
    return w->stage < 2;
}

/* ---- fence (W5) ---- */

static void announce(struct going *g, const struct statement *s)
{
    struct {
        struct op_coll coll;
        struct op_slice slice[SCENARIO_RANKS];
    } tail = {.coll = {0}};
    struct machine_window *w = window_of(g);
    uint32_t slots[SCENARIO_REQUESTS], members = (uint32_t)g->r.scenario->ranks;
    struct op op = {.kind = OP_COLL,
                    .call = (uint16_t)s->word->call,
                    .flags = OPF_BLOCKING,
                    .request = REQUEST_CALL,
                    .peer = RANK_NONE,
                    .place = place_of(g, s),
                    .context = FENCE_CONTEXT,
                    .bytes = VALUE_BYTES};
    op.turn = (int32_t)w->fences++;
    tail.coll.until = w->fence_open ? members : 0;
    tail.coll.slices = members;
    for (uint32_t p = 0; p < members; p++) {
        tail.slice[p] = (struct op_slice){.to = (int32_t)p, .bytes = VALUE_BYTES};
        emit_content(g, (int32_t)find_accesses(g, UINT32_C(1) << p, ACCESS_QUEUED, slots));
    }
    w->announced = 0;
    emit_op(g, &op, &tail, sizeof tail.coll + members * sizeof *tail.slice);
}

static bool send_queued(struct going *g, const struct statement *s)
{
    const struct column *column = &g->r.scenario->column[g->r.rank];
    uint32_t slots[SCENARIO_REQUESTS], n = find_accesses(g, UINT32_MAX, ACCESS_QUEUED, slots);
    for (uint32_t i = 0; i < n; i++)
        send_scenario_access(g, &column->statements.at[column->slots.at[slots[i]].statement], RANK_NONE, true);
    return await_answers(g, s, UINT32_MAX);
}

/* A first fence ends no epoch and waits for nobody. */
static bool issue_fence(struct going *g, const struct statement *s)
{
    struct machine_window *w = window_of(g);
    if (w->stage == 0) {
        announce(g, s);
        return true;
    }
    if (w->stage == 1 && w->fence_open && send_queued(g, s))
        return true;
    if (w->stage < 3 && w->fence_open && w->announced) {
        w->expected += w->announced;
        w->stage = 2;
        await_memory(g);
        w->announced = 0;
        return true;
    }
    w->fence_open = true;
    return false;
}

/* ---- all of them ---- */

static bool has_queued(const struct going *g)
{
    uint32_t slots[SCENARIO_REQUESTS];
    return find_accesses(g, UINT32_MAX, ACCESS_QUEUED, slots);
}

static bool may_begin(const struct going *g, const struct statement *s)
{
    const struct machine_window *w = window_of(g);
    uint32_t locks = locked(w);
    switch (s->word->epoch) {
    case EPOCH_FENCE:
        return !w->started && !w->posted && !locks;
    case EPOCH_LOCK:
        return !w->started && !w->lock_all && !(locks & s->group) && !has_queued(g) &&
               !(w->posted && s->group >> g->r.rank & 1);
    case EPOCH_LOCK_ALL:
        return !w->started && !locks && !has_queued(g);
    case EPOCH_UNLOCK:
        return !w->lock_all && locks & s->group;
    case EPOCH_FLUSH:
        return locks & s->group;
    case EPOCH_UNLOCK_ALL:
        return w->lock_all;
    case EPOCH_FLUSH_ALL:
        return locks;
    case EPOCH_POST:
        return !w->posted && !has_queued(g) && !w->lock[g->r.rank];
    case EPOCH_START:
        return !w->started && !locks && !has_queued(g);
    case EPOCH_COMPLETE:
        return w->started;
    case EPOCH_WAIT:
        return w->posted;
    }
    return false;
}

static bool issue_stage(struct going *g, const struct statement *s)
{
    struct machine_window *w = window_of(g);
    switch (s->word->epoch) {
    case EPOCH_FENCE:
        return issue_fence(g, s);
    case EPOCH_LOCK:
        return w->stage == 0 && issue_lock(g, s, only_rank(s->group), s->shared);
    case EPOCH_LOCK_ALL:
        w->lock_all = true;
        return w->stage < g->r.scenario->ranks && issue_lock(g, s, stage_of_lock_all(g, w->stage), true);
    case EPOCH_UNLOCK:
        if (w->stage == 0 && await_answers(g, s, s->group))
            return true;
        release_locks(g, s->group);
        return false;
    case EPOCH_UNLOCK_ALL:
        if (w->stage == 0 && await_answers(g, s, UINT32_MAX))
            return true;
        release_locks(g, locked(w));
        w->lock_all = false;
        return false;
    case EPOCH_FLUSH:
        return w->stage == 0 && await_answers(g, s, s->group);
    case EPOCH_FLUSH_ALL:
        return w->stage == 0 && await_answers(g, s, UINT32_MAX);
    case EPOCH_POST:
        issue_post(g, s);
        return false;
    case EPOCH_START:
        return issue_start(g, s);
    case EPOCH_COMPLETE:
        return issue_complete(g, s);
    case EPOCH_WAIT:
        return issue_wait(g, s);
    }
    return false;
}

static bool begins_other_epoch(enum epoch_kind kind)
{
    return kind == EPOCH_LOCK || kind == EPOCH_LOCK_ALL || kind == EPOCH_POST || kind == EPOCH_START;
}

/* The call itself is a remark: messages that come of it may be sent later, or be several.  Level 0 would mean that nothing is decided from here. */
static void remark_call(struct going *g, const struct statement *s)
{
    enum { REMARK_LEVEL = 1 };
    emit_op(g, &(struct op){.kind = OP_PCONTROL, .call = (uint16_t)s->word->call, .peer = RANK_NONE, .level = REMARK_LEVEL, .place = place_of(g, s)},
            NULL, 0);
}

bool window_call_issue(struct going *g, const struct statement *s)
{
    struct machine_window *w = window_of(g);
    if (w->stage == 0)
        remark_call(g, s);
    if (s->word->verb == VERB_ACCESS) {
        issue_access(g, s);
        return false;
    }
    if (w->stage == 0 && !may_begin(g, s)) {
        machine_fail(g->r, FAULT_EPOCH);
        return false;
    }
    if (w->stage == 0 && begins_other_epoch(s->word->epoch))
        w->fence_open = false; /* a fence begins an epoch only if accesses follow */
    bool waits = issue_stage(g, s);
    if (!waits)
        w->stage = 0;
    return waits;
}

static void take_item(struct going *g, const struct answer_item *item, const struct ret *ret)
{
    const struct column *column = &g->r.scenario->column[g->r.rank];
    struct machine_window *w = window_of(g);
    if (item->request <= SCENARIO_REQUESTS) {
        const struct statement *s = &column->statements.at[column->slots.at[item->request - 1].statement];
        g->r.machine->active[item->request - 1] = ACCESS_NONE;
        if (access_reads(s))
            machine_receive(g->r, s, item->source, value_of_content(item->content));
    } else if (item->request >= REQUEST_COMPLETE && item->request < REQUEST_CALL) {
        w->expected += (uint32_t)value_of_content(item->content);
    }
    for (uint32_t i = 0; i < item->pieces; i++)
        if (ret->piece[item->first_piece + i].slice != NO_SLICE)
            w->announced += (uint32_t)value_of_content(ret->piece[item->first_piece + i].content);
}

void window_call_answer(struct going *g, const struct ret *ret)
{
    for (uint32_t i = 0; i < ret->items; i++)
        take_item(g, &ret->item[i], ret);
    window_of(g)->stage++;
}
