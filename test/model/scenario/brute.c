#include "brute.h"

#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "scenario/partitions.h"
#include "sem/sem.h"

enum { RANKS = 4, OPS = 20, STATES = 40000 };

enum kind { SEND, RECV, COLL };

struct bop {
    uint8_t kind, loose, withdrawn, escaped; /* escaped: a cancel of it failed though it was unmatched */
    uint8_t kept; /* by a matched probe, and not received */
    int8_t with_rank, with_op; /* -1: unmatched */
    int8_t peer, comm;
    uint8_t slot;
    uint8_t statement;
    uint8_t turn;
    int32_t tag;
    int32_t value[RANKS]; /* by position, if there is one for each */
};

struct brank {
    struct machine machine;
    uint8_t waits;        /* in the call it has come to */
    uint8_t took;         /* a matched probe that has its message and has not returned: from whom, + 1 */
    uint8_t ops;
    int8_t op_of[SCENARIO_REQUESTS]; /* by slot, the last; -1: none */
    struct bop op[OPS];
};

struct state {
    struct brank rank[RANKS];
    uint8_t fired[8]; /* of the two events that are watched: 1 the first, 2 the second; 0: not yet */
};

/* M7: infinite buffering, none, or whatever the implementation likes. */
enum slack { SLACK_ALL, SLACK_NONE, SLACK_OPEN };

struct brute {
    const struct scenario *scenario;
    enum slack slack;
    bool step_by_step, too_many;
    struct map visited;
    struct outcomes *outcomes;           /* NULL: not wanted */
    const struct scenario_event *watched; /* two; NULL: none */
    bool *seen;
};

static struct ranked ranked(const struct brute *b, struct state *s, rank_t r)
{
    return (struct ranked){b->scenario, r, &s->rank[r].machine};
}

static const struct statement *statement_of(const struct brute *b, rank_t r, const struct bop *op)
{
    return &b->scenario->column[r].statements.at[op->statement];
}

static const struct statement *call_of(const struct brute *b, const struct state *s, rank_t r)
{
    return &b->scenario->column[r].statements.at[s->rank[r].machine.pc];
}

/* ---- events that are watched ---- */

static bool is_watched(const struct brute *b, int which, rank_t r, uint32_t statement, enum scenario_event_kind kind)
{
    const struct scenario_event *event = &b->watched[which];
    return event->rank == r && event->statement == statement && event->kind == kind;
}

static void fire(const struct brute *b, struct state *s, rank_t r, uint32_t statement, enum scenario_event_kind kind)
{
    for (int i = 0; b->watched && i < 2; i++)
        if (!s->fired[i] && is_watched(b, i, r, statement, kind))
            s->fired[i] = s->fired[!i] ? 2 : 1;
}

/* ---- completion (M5, M6, M7) ---- */

static const struct bop *part_of(const struct state *s, rank_t r, const struct bop *coll)
{
    for (int i = 0; i < s->rank[r].ops; i++)
        if (s->rank[r].op[i].kind == COLL && s->rank[r].op[i].comm == coll->comm && s->rank[r].op[i].turn == coll->turn)
            return &s->rank[r].op[i];
    return NULL;
}

static bool needs(const struct brute *b, rank_t r, const struct bop *coll, rank_t other)
{
    const struct statement *st = statement_of(b, r, coll);
    uint32_t comm = (uint32_t)coll->comm;
    return coll_needs(st->word->coll, scenario_position(b->scenario, comm, st->peer.rank),
                      scenario_position(b->scenario, comm, r), scenario_position(b->scenario, comm, other));
}

/* It met somebody, and that was no matched probe alone. */
static bool is_received(const struct state *s, const struct bop *op)
{
    return op->with_rank >= 0 && !op->kept && !s->rank[op->with_rank].op[op->with_op].kept;
}

static bool complete(const struct brute *b, const struct state *s, rank_t r, const struct bop *op)
{
    const struct scenario_comm *comm = &b->scenario->comms.at[op->comm];
    if (op->withdrawn || (op->kind != COLL && is_received(s, op)))
        return true;
    if (op->kind == RECV)
        return false;
    if (op->kind == SEND)
        return op->loose;
    for (size_t i = 0; i < comm->members.n; i++)
        if ((!op->loose || needs(b, r, op, comm->members.at[i])) && !part_of(s, comm->members.at[i], op))
            return false;
    return true;
}

/* Whether the implementation may let it complete early. */
static bool may_be_loose(const struct brute *b, rank_t r, const struct bop *op)
{
    uint32_t mode = statement_of(b, r, op)->word->mode;
    return op->kind == COLL || (op->kind == SEND && !(mode & OPF_SYNCHRONOUS));
}

/* ---- matching (M1 to M4) ---- */

static bool fits(const struct state *s, rank_t from, int i, rank_t at, int peer, int comm, int32_t tag)
{
    const struct bop *op = &s->rank[from].op[i];
    return op->kind == SEND && op->with_rank < 0 && !op->withdrawn && op->peer == at && op->comm == comm &&
           (peer == RANK_ANY || peer == from) && (tag == TAG_ANY || tag == op->tag);
}

/* M2: no earlier send fits; M3: no receive posted before the k-th does. */
static bool eligible(const struct state *s, rank_t from, int i, rank_t at, int k, int peer, int comm, int32_t tag)
{
    if (!fits(s, from, i, at, peer, comm, tag))
        return false;
    for (int e = 0; e < i; e++)
        if (fits(s, from, e, at, peer, comm, tag))
            return false;
    for (int e = 0; e < k; e++) {
        const struct bop *r = &s->rank[at].op[e];
        if (r->kind == RECV && r->with_rank < 0 && !r->withdrawn && fits(s, from, i, at, r->peer, r->comm, r->tag))
            return false;
    }
    return true;
}

static void pair(struct state *s, rank_t from, int i, rank_t at, int k)
{
    s->rank[at].op[k].with_rank = (int8_t)from;
    s->rank[at].op[k].with_op = (int8_t)i;
    s->rank[from].op[i].with_rank = (int8_t)at;
    s->rank[from].op[i].escaped = false;
    s->rank[from].op[i].with_op = (int8_t)k;
}

/* ---- posting ---- */

/* What meets at ports, and the two sides of a pair of partitioned operations, meet nothing else. */
enum { AT_PORTS = 100, IN_PAIRS };

static struct bop *post(struct brute *b, struct state *s, rank_t r, const struct statement *st, enum kind kind, int32_t slot)
{
    struct brank *me = &s->rank[r];
    struct bop *op = &me->op[me->ops];
    if (me->ops == OPS) {
        b->too_many = true;
        me->ops--;
        op--;
    }
    memset(op, 0, sizeof *op);
    op->kind = (uint8_t)kind;
    op->with_rank = op->with_op = -1;
    op->comm = st->word->port ? AT_PORTS : (int8_t)st->comm;
    op->slot = (uint8_t)slot;
    op->statement = (uint8_t)(st - b->scenario->column[r].statements.at);
    op->loose = kind == SEND && st->word->mode & OPF_BUFFERED;
    me->op_of[slot] = (int8_t)me->ops++;
    fire(b, s, r, op->statement, EVENT_STARTS);
    return op;
}

static void post_send(struct brute *b, struct state *s, rank_t r, const struct statement *st)
{
    struct ranked me = ranked(b, s, r);
    rank_t peer = machine_peer(me, &st->peer, st->comm);
    int32_t value = machine_value(me, st, 0);
    machine_post(me, st, (uint32_t)st->slot, !st->word->blocking);
    if (me.machine->state != MACHINE_RUNS)
        return;
    struct bop *op = post(b, s, r, st, SEND, st->slot);
    op->peer = (int8_t)peer;
    op->tag = st->tag;
    op->value[0] = value;
    op->loose = op->loose || (b->slack == SLACK_ALL && may_be_loose(b, r, op));
}

static void post_recv(struct brute *b, struct state *s, rank_t r, const struct statement *st, int32_t slot)
{
    struct ranked me = ranked(b, s, r);
    rank_t peer = machine_peer(me, &st->source, st->comm);
    machine_post(me, st, (uint32_t)slot, !st->word->blocking);
    if (me.machine->state != MACHINE_RUNS)
        return;
    struct bop *op = post(b, s, r, st, RECV, slot);
    op->peer = (int8_t)peer;
    op->tag = st->source_tag;
}

static void post_coll(struct brute *b, struct state *s, rank_t r, const struct statement *st)
{
    struct ranked me = ranked(b, s, r);
    int32_t value[RANKS] = {0};
    for (size_t i = 0; i < RANKS; i++)
        value[i] = machine_value(me, st, st->values.n > 1 ? i : 0);
    machine_post(me, st, (uint32_t)st->slot, !st->word->blocking);
    if (me.machine->state != MACHINE_RUNS)
        return;
    struct bop *op = post(b, s, r, st, COLL, st->slot);
    memcpy(op->value, value, sizeof value);
    op->turn = (uint8_t)me.machine->turns[st->comm]++;
    op->loose = b->slack != SLACK_OPEN; /* in the fixed models collectives go by their data flow */
}

/* ---- what is sent in parts ---- */

enum { OF_START = 15 };

/* P1: tags of scenarios are small, and so is everything else. */
static int32_t tag_in_pair(const struct state *s, rank_t r, const struct statement *made, uint32_t part)
{
    return (int32_t)(((made->comm * 16 + (uint32_t)made->tag) * 64 + s->rank[r].machine.parts.pair[made->slot]) * 16 + part);
}

/* The parts of a receive stand behind its start. */
static void post_in_pair(struct brute *b, struct state *s, rank_t r, const struct statement *made, uint32_t part, int32_t value)
{
    bool sends = partitions_are_sent(made);
    int8_t first = s->rank[r].op_of[made->slot];
    struct bop *op = post(b, s, r, made, sends ? SEND : RECV, made->slot);
    op->comm = IN_PAIRS;
    op->peer = (int8_t)made->peer.rank;
    op->tag = tag_in_pair(s, r, made, part);
    op->value[0] = value;
    op->loose = sends && (part != OF_START || b->slack == SLACK_ALL);
    if (part != OF_START)
        s->rank[r].op_of[made->slot] = first;
}

static void start_parts(struct brute *b, struct state *s, rank_t r, const struct statement *made)
{
    partitions_start(ranked(b, s, r), made);
    if (s->rank[r].machine.state != MACHINE_RUNS)
        return;
    post_in_pair(b, s, r, made, OF_START, (int32_t)partitions_of(made));
    for (uint32_t i = 0; i < partitions_of(made) && !partitions_are_sent(made); i++)
        post_in_pair(b, s, r, made, i, 0);
}

static void mark_parts(struct brute *b, struct state *s, rank_t r, const struct statement *st)
{
    struct ranked me = ranked(b, s, r);
    const struct statement *made = partitions_made(me, st);
    uint32_t marked = partitions_mark(me, st);
    for (uint32_t i = 0; marked >> i; i++)
        if (marked >> i & 1)
            post_in_pair(b, s, r, made, i, machine_eval(me, made->values.at[i]));
}

static const struct statement *maker(const struct brute *b, rank_t r, uint32_t slot)
{
    const struct column *column = &b->scenario->column[r];
    return &column->statements.at[column->slots.at[slot].statement];
}

static bool is_partitioned(const struct brute *b, rank_t r, uint32_t slot)
{
    return maker(b, r, slot)->word->verb == VERB_PARTITIONED;
}

/* A part of a receive. */
static const struct bop *part_received(const struct state *s, rank_t r, uint32_t slot, uint32_t part)
{
    return &s->rank[r].op[s->rank[r].op_of[slot] + 1 + (int)part];
}

static bool has_begun(const struct brute *b, const struct state *s, rank_t r, uint32_t slot)
{
    return complete(b, s, r, &s->rank[r].op[s->rank[r].op_of[slot]]);
}

static bool is_whole(const struct brute *b, const struct state *s, rank_t r, uint32_t slot)
{
    const struct statement *made = maker(b, r, slot);
    if (!has_begun(b, s, r, slot))
        return false;
    if (!is_partitioned(b, r, slot))
        return true;
    if (partitions_are_sent(made))
        return s->rank[r].machine.parts.over[slot] == (1u << partitions_of(made)) - 1;
    for (uint32_t i = 0; i < partitions_of(made); i++)
        if (part_received(s, r, slot, i)->with_rank < 0)
            return false;
    return true;
}

static int32_t value_received(const struct state *s, const struct bop *op)
{
    return s->rank[op->with_rank].op[op->with_op].value[0];
}

/* The start, and these of the parts, are told to the rank, which may find that the sizes differ. */
static void deliver_parts(struct brute *b, struct state *s, rank_t r, uint32_t slot, uint32_t parts)
{
    const struct statement *made = maker(b, r, slot);
    struct ranked me = ranked(b, s, r);
    const struct bop *begun = &s->rank[r].op[s->rank[r].op_of[slot]];
    partitions_begin(me, made, partitions_are_sent(made) ? 0 : (uint32_t)value_received(s, begun));
    for (uint32_t i = 0; i < partitions_of(made) && !partitions_are_sent(made); i++)
        if (parts >> i & 1 && me.machine->state == MACHINE_RUNS)
            machine_arrive(me, made, i, value_received(s, part_received(s, r, slot, i)));
}

static void start(struct brute *b, struct state *s, rank_t r, const struct statement *st)
{
    const struct column *column = &b->scenario->column[r];
    for (size_t i = 0; i < st->requests.n && s->rank[r].machine.state == MACHINE_RUNS; i++) {
        const struct statement *prepared = &column->statements.at[column->slots.at[st->requests.at[i]].statement];
        if (prepared->word->verb == VERB_PARTITIONED)
            start_parts(b, s, r, prepared);
        else if (prepared->word->verb == VERB_SEND)
            post_send(b, s, r, prepared);
        else
            post_recv(b, s, r, prepared, prepared->slot);
    }
}

/* Cancels, in time if it can be and `fails` is not set, or frees. */
static void give_up(struct brute *b, struct state *s, rank_t r, const struct statement *st, bool fails)
{
    uint32_t slot = st->requests.at[0];
    struct brank *me = &s->rank[r];
    if (is_partitioned(b, r, slot)) {
        partitions_free(ranked(b, s, r), slot);
        return;
    }
    if (!me->machine.active[slot]) {
        if (st->word->verb == VERB_CANCEL || !b->scenario->column[r].slots.at[slot].persistent)
            machine_fail(ranked(b, s, r), FAULT_INACTIVE);
        return;
    }
    struct bop *op = &me->op[me->op_of[slot]];
    if (st->word->verb == VERB_FREE)
        me->machine.active[slot] = false;
    else if (op->with_rank < 0 && !op->withdrawn && (fails || op->escaped))
        op->escaped = true;
    else if (op->with_rank < 0)
        op->withdrawn = true;
}

/* Begins the call that a rank has come to. */
static void begin(struct brute *b, struct state *s, rank_t r)
{
    const struct statement *st = call_of(b, s, r);
    struct ranked me = ranked(b, s, r);
    switch (st->word->verb) {
    case VERB_SEND:
        if (!st->word->persistent)
            post_send(b, s, r, st);
        break;
    case VERB_RECV:
        if (!st->word->persistent)
            post_recv(b, s, r, st, st->slot);
        break;
    case VERB_SENDRECV:
        post_send(b, s, r, st);
        if (me.machine->state == MACHINE_RUNS)
            post_recv(b, s, r, st, st->other_slot);
        break;
    case VERB_PROBE:
        machine_peer(me, &st->source, st->comm);
        if (st->word->take)
            machine_post(me, st, (uint32_t)st->slot, false);
        break;
    case VERB_MRECV:
        if (me.machine->active[st->requests.at[0]])
            s->rank[r].op[s->rank[r].op_of[st->requests.at[0]]].kept = false;
        else
            machine_fail(me, FAULT_INACTIVE);
        break;
    case VERB_START:
        start(b, s, r, st);
        break;
    case VERB_FREE:
        give_up(b, s, r, st, false);
        break;
    case VERB_COLL:
        post_coll(b, s, r, st);
        break;
    case VERB_PARTITIONED:
        partitions_make(me, st);
        break;
    case VERB_READY:
        mark_parts(b, s, r, st);
        break;
    default:
        break;
    }
    if (me.machine->state != MACHINE_RUNS)
        return;
    if (st->word->verb == VERB_COMPLETE || st->word->verb == VERB_PROBE || st->word->verb == VERB_MRECV)
        fire(b, s, r, me.machine->pc, EVENT_STARTS);
    /* Before a cancel, what it is about may match. */
    if (st->word->blocking || st->word->poll || st->word->verb == VERB_CANCEL)
        s->rank[r].waits = true;
    else
        machine_return(me, 0, false);
}

/* ---- returning ---- */

/* Whether completing is an event of this operation: of a sendrecv, that of the receive. */
static bool completes(const struct brute *b, rank_t r, const struct bop *op)
{
    return statement_of(b, r, op)->word->verb != VERB_SENDRECV || op->kind == RECV;
}

static void deliver(struct brute *b, struct state *s, rank_t r, const struct bop *op, const struct statement *into)
{
    struct ranked me = ranked(b, s, r);
    if (completes(b, r, op))
        fire(b, s, r, op->statement, EVENT_COMPLETES);
    if (op->withdrawn)
        return;
    if (op->kind == RECV)
        machine_receive(me, into, op->with_rank, s->rank[op->with_rank].op[op->with_op].value[0]);
    if (op->kind == COLL) {
        struct coll_piece piece[SCENARIO_RANKS] = {{0}};
        const struct scenario_comm *comm = &b->scenario->comms.at[op->comm];
        int position = scenario_position(b->scenario, (uint32_t)op->comm, r);
        for (size_t i = 0; i < comm->members.n; i++) {
            const struct bop *part = part_of(s, comm->members.at[i], op);
            if (!needs(b, r, op, comm->members.at[i]))
                continue;
            bool each = statement_of(b, comm->members.at[i], part)->values.n > 1;
            piece[i] = (struct coll_piece){part->value[each ? position : 0], into->word->coll != COLL_BARRIER};
        }
        machine_collect(me, into, piece);
    }
}

static void visit(struct brute *, const struct state *);

static void go(struct brute *b, struct state *s, rank_t r, int32_t flag, bool cancelled)
{
    s->rank[r].waits = false;
    fire(b, s, r, s->rank[r].machine.pc, EVENT_RETURNS);
    machine_return(ranked(b, s, r), flag, cancelled);
    visit(b, s);
}

/* A completion call returns with these of its active requests. */
static void return_set(struct brute *b, const struct state *s, rank_t r, const uint32_t *slots, uint32_t n, unsigned set)
{
    const struct statement *st = call_of(b, s, r);
    struct state t = *s;
    bool cancelled = false;
    int32_t flag = 1, count = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!(set >> i & 1))
            continue;
        struct bop *op = &t.rank[r].op[t.rank[r].op_of[slots[i]]];
        t.rank[r].machine.active[slots[i]] = false;
        if (is_partitioned(b, r, slots[i])) {
            deliver_parts(b, &t, r, slots[i], ~t.rank[r].machine.parts.over[slots[i]]);
            count++;
            continue;
        }
        deliver(b, &t, r, op, st->word->verb == VERB_MRECV ? st : statement_of(b, r, op));
        cancelled = cancelled || op->withdrawn;
        count++;
        for (size_t k = 0; k < st->requests.n && st->word->select == SELECT_ANY; k++)
            if (st->requests.at[k] == slots[i])
                flag = (int32_t)k;
    }
    go(b, &t, r, st->word->select == SELECT_SOME ? count : flag, cancelled);
}

/* A wait that has heard of all starts knows whether as many parts were sent: then it does not come to wait for them. */
static bool sizes_differ(struct brute *b, const struct state *s, rank_t r, const uint32_t *slots, uint32_t n)
{
    struct state t = *s;
    for (uint32_t i = 0; i < n; i++)
        if (!has_begun(b, s, r, slots[i]) ||
            (is_partitioned(b, r, slots[i]) && partitions_are_sent(maker(b, r, slots[i])) && !is_whole(b, s, r, slots[i])))
            return false;
    for (uint32_t i = 0; i < n && t.rank[r].machine.state == MACHINE_RUNS; i++)
        if (is_partitioned(b, r, slots[i]))
            deliver_parts(b, &t, r, slots[i], 0);
    if (t.rank[r].machine.state == MACHINE_RUNS)
        return false;
    t.rank[r].waits = false;
    visit(b, &t);
    return true;
}

static bool return_arrived(struct brute *b, const struct state *s, rank_t r)
{
    const struct statement *st = call_of(b, s, r);
    struct state t = *s, no = *s;
    uint32_t slot = st->requests.at[0], part = partition_asked(ranked(b, &t, r), st);
    if (has_begun(b, s, r, slot) && part_received(s, r, slot, part)->with_rank >= 0) {
        deliver_parts(b, &t, r, slot, 1u << part);
        if (t.rank[r].machine.state == MACHINE_RUNS)
            go(b, &t, r, 1, false);
        else {
            t.rank[r].waits = false;
            visit(b, &t);
        }
    }
    go(b, &no, r, 0, false);
    return true;
}

static bool return_list(struct brute *b, const struct state *s, rank_t r)
{
    const struct statement *st = call_of(b, s, r);
    struct state t = *s;
    uint32_t slots[SCENARIO_REQUESTS], n = machine_requests(ranked(b, &t, r), st, slots);
    unsigned done = 0;
    bool differ = sizes_differ(b, s, r, slots, n), any = differ;
    for (uint32_t i = 0; i < n; i++)
        if (is_whole(b, s, r, slots[i]))
            done |= 1u << i;
    for (unsigned set = 1; set < 1u << n && !differ; set++) {
        bool one = (set & (set - 1)) == 0, all = set == (1u << n) - 1;
        if ((set & ~done) || (st->word->select == SELECT_ANY && !one) || (st->word->select == SELECT_ALL && !all))
            continue;
        any = true;
        return_set(b, s, r, slots, n, set);
    }
    if (st->word->poll)
        go(b, &t, r, st->word->select == SELECT_ANY ? -1 : 0, false);
    return any || st->word->poll;
}

static bool return_probe(struct brute *b, const struct state *s, rank_t r)
{
    const struct statement *st = call_of(b, s, r);
    struct state copy = *s;
    rank_t peer = machine_peer(ranked(b, &copy, r), &st->source, st->comm);
    bool any = false;
    if (s->rank[r].took) {
        copy.rank[r].took = 0;
        machine_receive(ranked(b, &copy, r), st, s->rank[r].took - 1, 0);
        go(b, &copy, r, 1, false);
        return true;
    }
    for (rank_t q = 0; q < b->scenario->ranks; q++)
        for (int i = 0; i < s->rank[q].ops; i++) {
            struct state t = *s;
            if (!eligible(s, q, i, r, s->rank[r].ops, peer, (int)st->comm, st->source_tag))
                continue;
            any = true;
            if (st->word->take) {
                struct bop *op = post(b, &t, r, st, RECV, st->slot);
                op->peer = (int8_t)q;
                op->tag = s->rank[q].op[i].tag;
                op->kept = true;
                pair(&t, q, i, r, (int)(op - t.rank[r].op));
                t.rank[r].machine.active[st->slot] = true;
                t.rank[r].took = (uint8_t)(q + 1);
                visit(b, &t);
                continue;
            }
            machine_receive(ranked(b, &t, r), st, q, 0);
            go(b, &t, r, 1, false);
        }
    if (st->word->poll)
        go(b, &copy, r, 0, false);
    return any || st->word->poll;
}

/* A blocking operation, or both of sendrecv. */
static bool return_own(struct brute *b, const struct state *s, rank_t r)
{
    const struct statement *st = call_of(b, s, r);
    const struct brank *me = &s->rank[r];
    struct state t = *s;
    int slots[] = {st->slot, st->other_slot};
    for (int i = 0; i < 2; i++)
        if (slots[i] >= 0 && !complete(b, s, r, &me->op[me->op_of[slots[i]]]))
            return false;
    for (int i = 0; i < 2; i++)
        if (slots[i] >= 0)
            deliver(b, &t, r, &me->op[me->op_of[slots[i]]], st);
    go(b, &t, r, 0, false);
    return true;
}

static void return_cancel_so(struct brute *b, const struct state *s, rank_t r, bool fails)
{
    struct state t = *s;
    t.rank[r].waits = false;
    fire(b, &t, r, t.rank[r].machine.pc, EVENT_STARTS);
    give_up(b, &t, r, call_of(b, s, r), fails);
    if (t.rank[r].machine.state == MACHINE_RUNS)
        machine_return(ranked(b, &t, r), 0, false);
    visit(b, &t);
}

/* D5: a send that is buffered may go its way though it is unmatched. */
static bool return_cancel(struct brute *b, const struct state *s, rank_t r)
{
    const struct brank *me = &s->rank[r];
    uint32_t slot = call_of(b, s, r)->requests.at[0];
    const struct bop *op = me->machine.active[slot] ? &me->op[me->op_of[slot]] : NULL;
    return_cancel_so(b, s, r, false);
    if (op && op->kind == SEND && op->with_rank < 0 && op->loose && !op->withdrawn && !op->escaped)
        return_cancel_so(b, s, r, true);
    return true;
}

static bool returns(struct brute *b, const struct state *s, rank_t r)
{
    switch (call_of(b, s, r)->word->verb) {
    case VERB_COMPLETE:
    case VERB_MRECV:
        return return_list(b, s, r);
    case VERB_PROBE:
        return return_probe(b, s, r);
    case VERB_CANCEL:
        return return_cancel(b, s, r);
    case VERB_ARRIVED:
        return return_arrived(b, s, r);
    default:
        return return_own(b, s, r);
    }
}

/* ---- all of it ---- */

static bool match_all(struct brute *b, const struct state *s, rank_t at, int k)
{
    const struct bop *recv = &s->rank[at].op[k];
    bool any = false;
    if (recv->kind != RECV || recv->with_rank >= 0 || recv->withdrawn)
        return false;
    for (rank_t q = 0; q < b->scenario->ranks; q++)
        for (int i = 0; i < s->rank[q].ops; i++)
            if (eligible(s, q, i, at, k, recv->peer, recv->comm, recv->tag)) {
                struct state t = *s;
                pair(&t, q, i, at, k);
                visit(b, &t);
                any = true;
            }
    return any;
}

/* M7: an operation that its rank waits for completes although it need not. */
static void loosen_all(struct brute *b, const struct state *s, rank_t r)
{
    for (int i = 0; i < s->rank[r].ops; i++) {
        const struct bop *op = &s->rank[r].op[i];
        struct state t;
        if (op->loose || !may_be_loose(b, r, op) || complete(b, s, r, op))
            continue;
        t = *s;
        t.rank[r].op[i].loose = true;
        if (complete(b, &t, r, &t.rank[r].op[i]))
            visit(b, &t);
    }
}

/* An operation that may be complete is seen to be so at any time until it is reported. */
static bool complete_watched(struct brute *b, const struct state *s, rank_t r, int i)
{
    const struct bop *op = &s->rank[r].op[i];
    bool any = false;
    for (int k = 0; b->watched && k < 2; k++) {
        struct state t = *s;
        if (s->fired[k] || !is_watched(b, k, r, op->statement, EVENT_COMPLETES) || !completes(b, r, op) ||
            !complete(b, s, r, op))
            continue;
        fire(b, &t, r, op->statement, EVENT_COMPLETES);
        visit(b, &t);
        any = true;
    }
    return any;
}

static void tell(struct brute *b, const struct state *s)
{
    const struct machine *machine[RANKS];
    bool error = false;
    for (rank_t r = 0; r < b->scenario->ranks; r++) {
        machine[r] = &s->rank[r].machine;
        error = error || machine[r]->state == MACHINE_ERROR;
    }
    if (b->watched)
        b->seen[s->fired[0] && (!s->fired[1] || s->fired[0] < s->fired[1])] = true;
    else if (b->slack != SLACK_OPEN || !error) /* an error is not looked for under less slack */
        outcomes_add(b->outcomes, outcome_text(b->scenario, machine));
}

static bool is_new(struct brute *b, const struct state *s)
{
    struct map_key key = {hash_bytes(1, s, sizeof *s), hash_bytes(2, s, sizeof *s)};
    uint32_t known;
    if (map_get(&b->visited, key, &known))
        return false;
    map_put(&b->visited, key, 1);
    b->too_many = b->too_many || b->visited.n > STATES;
    return true;
}

static bool is_going(const struct state *s, rank_t r)
{
    return !s->rank[r].waits && s->rank[r].machine.state == MACHINE_RUNS;
}

static void visit(struct brute *b, const struct state *from)
{
    struct state s = *from;
    bool moves = false;
    for (rank_t r = 0; r < b->scenario->ranks && !b->step_by_step; r++)
        while (is_going(&s, r) && !b->too_many)
            begin(b, &s, r);
    if (b->too_many || !is_new(b, &s))
        return;
    for (rank_t r = 0; r < b->scenario->ranks; r++) {
        if (is_going(&s, r)) {
            struct state t = s;
            begin(b, &t, r);
            visit(b, &t);
            moves = true;
        } else if (s.rank[r].waits) {
            moves = returns(b, &s, r) || moves;
            if (b->slack == SLACK_OPEN)
                loosen_all(b, &s, r);
        }
        for (int k = 0; k < s.rank[r].ops; k++)
            moves = match_all(b, &s, r, k) | complete_watched(b, &s, r, k) | moves;
    }
    if (!moves)
        tell(b, &s);
}

static size_t enumerate(struct brute *b)
{
    struct state s;
    memset(&s, 0, sizeof s);
    for (rank_t r = 0; r < b->scenario->ranks; r++) {
        memset(s.rank[r].op_of, -1, sizeof s.rank[r].op_of);
        machine_start(ranked(b, &s, r));
    }
    visit(b, &s);
    size_t states = b->visited.n;
    map_release(&b->visited);
    return b->too_many ? 0 : states;
}

static enum slack slack_of(const struct scenario *scenario)
{
    return scenario->slack == SLACK_ZERO ? SLACK_NONE : SLACK_ALL;
}

size_t brute_outcomes(const struct scenario *scenario, bool step_by_step, struct outcomes *outcomes)
{
    struct brute b = {.scenario = scenario, .slack = slack_of(scenario), .step_by_step = step_by_step, .outcomes = outcomes};
    size_t states = enumerate(&b), more = 0;
    if (scenario->any_slack && states) {
        b.slack = SLACK_OPEN;
        more = enumerate(&b);
    }
    return scenario->any_slack && !more ? 0 : states + more;
}

bool brute_order(const struct scenario *scenario, const struct scenario_event *pair, bool *seen)
{
    struct brute b = {
        .scenario = scenario, .slack = slack_of(scenario), .step_by_step = true, .watched = pair, .seen = seen};
    return enumerate(&b) != 0;
}
