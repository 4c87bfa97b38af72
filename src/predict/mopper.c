#include "predict/mopper.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/die.h"

/* An operation with a clock: sends, receives (or multi-receives), waits, parts of collectives. */
enum event_of { CALL_SEND, CALL_RECV, CALL_WAIT, CALL_PART };

struct call {
    enum event_of kind;
    rank_t rank;
    uint32_t id;   /* send, slot, halt, part */
    uint32_t room; /* of a multi-receive; else 1 */
    bool blocking; /* what follows waits for it */
    int matched, ready;
    uint32_t clock, last; /* first bit of its clock, and of the one when it was full */
    VEC(uint32_t) before; /* owns; immediate predecessors in the matches-before order */
    literals pairs;       /* owns */
};

struct mopper {
    const struct program *program;
    struct formula *formula;
    struct buffering buffering;
    VEC(struct call) call; /* rank by rank, in program order */
    uint32_t *send, *slot; /* their calls */
    VEC(int) bit;
    uint32_t bits;
};

/* ---- calls ---- */

static struct call *new_call(struct mopper *m, struct call call)
{
    call.room = call.room ? call.room : 1;
    vec_push(&m->call, call);
    return &m->call.at[m->call.n - 1];
}

static bool is_send_buffered(const struct mopper *m, const struct send *send)
{
    return send->mode == SEND_BUFFERED || (send->mode != SEND_SYNCHRONOUS &&
                                           (m->buffering.slack == SLACK_INFINITE || send->bytes < m->buffering.slack));
}

/* A blocking call is a halt with just its own operation. */
static bool blocks(const struct program *p, halt_t waited, uint32_t op)
{
    return waited >= 0 && p->halt.at[waited].op == op;
}

/* A matched probe, and before its message is received the rank may block elsewhere. */
static bool is_received_late(const struct program *p, const struct slot *slot)
{
    return slot->takes && (slot->received == HALT_NEVER || p->halt.at[slot->received].op != p->recv.at[slot->first]);
}

static bool is_beyond(const struct mopper *m)
{
    const struct program *p = m->program;
    for (size_t i = 0; i < p->halt.n; i++)
        if (!p->halt.at[i].merged &&
            (p->halt.at[i].firm || p->halt.at[i].others || p->halt.at[i].shut || p->halt.at[i].probe >= 0))
            return true;
    for (size_t i = 0; i < p->mailbox.n; i++)
        if (p->mailbox.at[i].withdrawals)
            return true;
    for (size_t i = 0; i < p->slot.n; i++)
        if (is_received_late(p, &p->slot.at[i]))
            return true;
    return false;
}

/* Sends, receives and parts are each in program order: merge them with the halts by operation. */
static void read_rank(struct mopper *m, rank_t r, uint32_t *s, uint32_t *q, uint32_t *c)
{
    const struct program *p = m->program;
    halt_t g = p->first_halt[r];
    for (;;) {
        uint32_t at_send = *s < p->send.n && p->send.at[*s].rank == r ? p->send.at[*s].op : UINT32_MAX;
        uint32_t at_slot = *q < p->slot.n && p->slot.at[*q].rank == r ? p->recv.at[p->slot.at[*q].first] : UINT32_MAX;
        uint32_t at_part = *c < p->part.n && p->part.at[*c].rank == r ? p->part.at[*c].op : UINT32_MAX;
        uint32_t at_halt = g < p->first_halt[r + 1] ? p->halt.at[g].op : UINT32_MAX;
        if (at_send == UINT32_MAX && at_slot == UINT32_MAX && at_part == UINT32_MAX && at_halt == UINT32_MAX)
            return;
        if (at_send <= at_slot && at_send <= at_part && at_send <= at_halt) {
            m->send[*s] = (uint32_t)m->call.n;
            new_call(m, (struct call){.kind = CALL_SEND,
                                      .rank = r,
                                      .id = *s,
                                      .blocking = blocks(p, p->send.at[*s].waited, at_send) &&
                                                  !is_send_buffered(m, &p->send.at[*s])});
            ++*s;
        } else if (at_slot <= at_part && at_slot <= at_halt) {
            m->slot[*q] = (uint32_t)m->call.n;
            new_call(m, (struct call){.kind = CALL_RECV,
                                      .rank = r,
                                      .id = *q,
                                      .room = p->slot.at[*q].room,
                                      .blocking = p->slot.at[*q].blocking});
            ++*q;
        } else if (at_part <= at_halt) {
            new_call(
                m, (struct call){
                       .kind = CALL_PART, .rank = r, .id = *c, .blocking = blocks(p, p->part.at[*c].waited, at_part)});
            ++*c;
        } else {
            const struct halt *halt = &p->halt.at[g];
            struct return_condition need = halt->needs ? p->need.at[halt->first] : (struct return_condition){0};
            bool own = halt->merged ||
                       (halt->needs == 1 && ((need.thing == THING_SEND && p->send.at[need.id].op == halt->op) ||
                                             (need.thing == THING_SLOT && p->slot.at[need.id].blocking) ||
                                             (need.thing == THING_PART && p->part.at[need.id].op == halt->op)));
            if (!own)
                new_call(m, (struct call){.kind = CALL_WAIT, .rank = r, .id = (uint32_t)g, .blocking = true});
            g++;
        }
    }
}

/* ---- the matches-before order ---- */

static bool call_waits_for(const struct mopper *m, const struct call *wait, const struct call *a)
{
    const struct program *p = m->program;
    const struct halt *halt = &p->halt.at[wait->id];
    for (uint32_t i = 0; i < halt->needs; i++) {
        struct return_condition need = p->need.at[halt->first + i];
        if (a->kind == CALL_SEND && need.thing == THING_SEND && need.id == a->id)
            return !is_send_buffered(m, &p->send.at[a->id]);
        if (a->kind == CALL_RECV && need.thing == THING_SLOT && need.id == a->id)
            return true;
        if (a->kind == CALL_PART && need.thing == THING_PART && need.id == a->id)
            return true;
    }
    return false;
}

static bool comes_before(const struct mopper *m, const struct call *a, const struct call *b)
{
    const struct program *p = m->program;
    if (a->blocking)
        return true;
    if (b->kind == CALL_WAIT)
        return call_waits_for(m, b, a);
    if (a->kind == CALL_SEND && b->kind == CALL_SEND)
        return p->send.at[a->id].envelope == p->send.at[b->id].envelope;
    if (a->kind == CALL_RECV && b->kind == CALL_RECV) {
        const struct slot *x = &p->slot.at[a->id], *y = &p->slot.at[b->id];
        return x->context == y->context && (x->from == RANK_ANY || x->from == y->from) &&
               (x->tag == TAG_ANY || x->tag == y->tag);
    }
    return false;
}

/* The latest blocking call, and since then whatever is ordered; what lies before it is implied. */
static void find_before(struct mopper *m)
{
    for (uint32_t b = 0; b < m->call.n; b++)
        for (uint32_t a = b; a-- > 0 && m->call.at[a].rank == m->call.at[b].rank;) {
            if (comes_before(m, &m->call.at[a], &m->call.at[b]))
                vec_push(&m->call.at[b].before, a);
            if (m->call.at[a].blocking)
                break;
        }
}

/* ---- clocks ---- */

static uint32_t new_clock(struct mopper *m)
{
    uint32_t first = (uint32_t)m->bit.n;
    for (uint32_t i = 0; i < m->bits; i++)
        vec_push(&m->bit, sat_variable(m->formula->sat));
    return first;
}

/* If `given`, the two clocks are equal. */
static void equal_if(struct mopper *m, int given, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < m->bits; i++) {
        CLAUSE(m->formula, -given, -m->bit.at[a + i], m->bit.at[b + i]);
        CLAUSE(m->formula, -given, m->bit.at[a + i], -m->bit.at[b + i]);
    }
}

/* If `given`, a is less than b, or (`or_equal`) not more.  Bits from the highest: equal so far, or decided. */
static void less_if(struct mopper *m, int given, uint32_t a, uint32_t b, bool or_equal)
{
    int equal = LIT_TRUE;
    for (uint32_t i = 0; i < m->bits; i++) {
        int x = m->bit.at[a + i], y = m->bit.at[b + i];
        CLAUSE(m->formula, -given, -equal, -x, y); /* not greater here */
        if (i + 1 == m->bits) {
            if (!or_equal) {
                CLAUSE(m->formula, -given, -equal, -x);
                CLAUSE(m->formula, -given, -equal, y);
            }
            return;
        }
        int next = sat_variable(m->formula->sat);
        CLAUSE(m->formula, -equal, x, y, next);
        CLAUSE(m->formula, -equal, -x, -y, next);
        equal = next;
    }
}

/* ---- the formula; numbers are those of [Forejt 2017], Fig. 6 and Fig. 8 ---- */

/* (10), (22), (23) for one pair, and (21). */
static void add_match_pair(struct mopper *m, uint32_t send, uint32_t recv)
{
    struct call *a = &m->call.at[send], *b = &m->call.at[recv];
    int pair = sat_variable(m->formula->sat);
    formula_name(m->formula, pair, "pair call %u call %u", send, recv);
    vec_push(&a->pairs, pair);
    vec_push(&b->pairs, pair);
    CLAUSE(m->formula, -pair, a->ready);
    CLAUSE(m->formula, -pair, b->ready);
    CLAUSE(m->formula, a->matched, -a->ready, b->matched, -b->ready); /* (6), (17) */
    if (b->room == 1) {
        equal_if(m, pair, a->clock, b->clock);
        return;
    }
    less_if(m, pair, b->clock, a->clock, true);
    less_if(m, pair, a->clock, b->last, true);
}

static void add_match_pairs(struct mopper *m, struct prediction *out)
{
    const struct program *p = m->program;
    for (size_t i = 0; i < p->envelope.n; i++) {
        const struct envelope_class *e = &p->envelope.at[i];
        uint64_t room = 0;
        for (size_t k = 0; k < e->slot.n; k++) {
            const struct slot *slot = &p->slot.at[e->slot.at[k]];
            for (size_t s = 0; s < e->send.n; s++) {
                /* M+: not before there was room for the sends before it */
                if (room + slot->room <= s)
                    break;
                add_match_pair(m, m->send[e->send.at[s]], m->slot[e->slot.at[k]]);
                out->pairs++;
            }
            room += slot->room;
        }
    }
}

/* (2)-(5), (13)-(16): matched as often as there is room. */
static void count_pairs(struct mopper *m, struct call *c, bool plain)
{
    struct formula *f = m->formula;
    if (plain || c->room == 1) {
        for (size_t i = 0; i < c->pairs.n; i++) {
            CLAUSE(f, -c->pairs.at[i], c->matched);
            for (size_t k = i + 1; k < c->pairs.n; k++)
                CLAUSE(f, -c->pairs.at[i], -c->pairs.at[k]);
        }
        vec_push(&c->pairs, -c->matched);
        formula_clause(f, c->pairs.at, c->pairs.n);
        c->pairs.n--;
        return;
    }
    int *least = xcalloc(c->room + 1, sizeof *least);
    formula_count(f, c->pairs.at, c->pairs.n, c->room + 1, least);
    CLAUSE(f, -least[c->room]);
    CLAUSE(f, -c->matched, least[c->room - 1]);
    CLAUSE(f, c->matched, -least[c->room - 1]);
    free(least);
}

/* A call that meets nobody: a wait when it is ready, a collective when those have joined that it needs. */
static void match_alone(struct mopper *m, struct call *c, const uint32_t *part_call)
{
    struct formula *f = m->formula;
    const struct program *p = m->program;
    literals joined = {0};
    if (c->kind == CALL_PART) {
        const struct collective_call *part = &p->part.at[c->id];
        for (uint32_t i = 0; i < p->comm.at[part->comm].members; i++) {
            bool needed = i >= part->from && i < part->until;
            for (uint32_t k = 0; k < part->listed; k++)
                needed = needed || p->listed.at[part->first + k] == i;
            if (!needed)
                continue;
            uint32_t other = program_part(p, part, i);
            vec_push(&joined, other == UINT32_MAX ? LIT_FALSE : m->call.at[part_call[other]].ready);
            if (other != UINT32_MAX)
                for (size_t k = 0; k < m->call.at[part_call[other]].before.n; k++)
                    less_if(m, c->matched, m->call.at[m->call.at[part_call[other]].before.at[k]].last, c->clock, false);
        }
    }
    vec_push(&joined, c->ready);
    int all = formula_and(f, joined.at, joined.n);
    CLAUSE(f, -c->matched, all);
    CLAUSE(f, c->matched, -all);
    vec_release(&joined);
}

/* (1), (7), (9), (11); (12), (18), (20), (24). */
static void say_order(struct mopper *m, struct call *c)
{
    literals before = {0};
    for (size_t i = 0; i < c->before.n; i++) {
        struct call *a = &m->call.at[c->before.at[i]];
        vec_push(&before, a->matched);
        less_if(m, LIT_TRUE, a->last, c->clock, false);
    }
    int all = formula_and(m->formula, before.at, before.n);
    CLAUSE(m->formula, -c->ready, all);
    CLAUSE(m->formula, c->ready, -all);
    CLAUSE(m->formula, -c->matched, c->ready);
    vec_release(&before);
}

static void make_variables(struct mopper *m, uint32_t *part_call)
{
    while ((m->call.n * 2 + 1) >> m->bits)
        m->bits++;
    for (size_t i = 0; i < m->call.n; i++) {
        struct call *c = &m->call.at[i];
        c->matched = sat_variable(m->formula->sat);
        c->ready = sat_variable(m->formula->sat);
        c->clock = new_clock(m);
        c->last = c->room > 1 ? new_clock(m) : c->clock;
        if (c->kind == CALL_PART)
            part_call[c->id] = (uint32_t)i;
        if (c->room > 1)
            less_if(m, LIT_TRUE, c->clock, c->last, true);
    }
}

/* (8), (19): somebody waits.  A send that nobody waits for may stay unmatched: that is no deadlock (M9). */
static void somebody_waits(struct mopper *m)
{
    literals stuck = {0};
    for (size_t i = 0; i < m->call.n; i++)
        if (m->call.at[i].blocking)
            vec_push(&stuck, -m->call.at[i].matched);
    formula_clause(m->formula, stuck.at, stuck.n);
    vec_release(&stuck);
}

static void encode(struct mopper *m, bool plain, struct prediction *out)
{
    const struct program *p = m->program;
    uint32_t s = 0, q = 0, c = 0, *part_call = xcalloc(p->part.n + 1, sizeof *part_call);
    m->send = xcalloc(p->send.n + 1, sizeof *m->send);
    m->slot = xcalloc(p->slot.n + 1, sizeof *m->slot);
    for (rank_t r = 0; r < p->ranks; r++)
        read_rank(m, r, &s, &q, &c);
    find_before(m);
    make_variables(m, part_call);
    add_match_pairs(m, out);
    for (size_t i = 0; i < m->call.n; i++) {
        struct call *call = &m->call.at[i];
        say_order(m, call);
        if (call->kind == CALL_SEND || call->kind == CALL_RECV)
            count_pairs(m, call, plain);
        else
            match_alone(m, call, part_call);
    }
    somebody_waits(m);
    free(part_call);
}

void predict_mopper(struct program *p, struct formula *formula, const struct prediction_options *options,
                    struct prediction *out)
{
    struct mopper m = {.program = p, .formula = formula, .buffering = options->buffering};
    bool plain = options->encoding == ENCODING_PLAIN;
    if (is_beyond(&m)) {
        out->why = "this encoding knows no probes, tests, cancels or waits for any (--encoding=ours does)";
        return;
    }
    int64_t start = microseconds();
    encode(&m, plain, out);
    out->encoding = microseconds() - start;
    start = microseconds();
    enum sat_answer answer = sat_solve(formula->sat, options->conflicts ? options->conflicts : -1);
    out->solving = microseconds() - start;
    out->verdict = answer == SAT_YES ? PREDICTED_DEADLOCK : answer == SAT_NO ? PREDICTED_NONE : PREDICTED_UNKNOWN;
    if (answer == SAT_UNKNOWN)
        out->why = "the solver gave up";
    for (size_t i = 0; i < m.call.n; i++) {
        vec_release(&m.call.at[i].before);
        vec_release(&m.call.at[i].pairs);
    }
    vec_release(&m.call);
    vec_release(&m.bit);
    free(m.send);
    free(m.slot);
}
