#include "predict/ours.h"

#include <stdlib.h>

#include "base/die.h"

int ours_after(const struct ours *o, halt_t g)
{
    return g == HALT_START ? LIT_TRUE : o->passed[g];
}

static int send_posted(const struct ours *o, uint32_t s)
{
    return ours_after(o, o->program->send.at[s].after);
}

static int slot_posted(const struct ours *o, uint32_t s)
{
    return ours_after(o, o->program->slot.at[s].after);
}

static int send_gone(const struct ours *o, uint32_t s)
{
    const struct send *send = &o->program->send.at[s];
    return send->withdrawn ? ours_after(o, send->gone_after) : o->taken[s];
}

static int slot_gone(const struct ours *o, uint32_t s)
{
    const struct slot *slot = &o->program->slot.at[s];
    return slot->withdrawn ? ours_after(o, slot->gone_after) : o->full[s];
}

static int new_literal(struct ours *o)
{
    return sat_variable(o->formula->sat);
}

int ours_pair(const struct ours *o, uint32_t s, uint32_t slot)
{
    const struct send *send = &o->program->send.at[s];
    const struct envelope_class *e = &o->program->envelope.at[send->envelope];
    for (uint32_t at = send->lowest; at <= send->highest; at++)
        if (e->slot.at[at] == slot)
            return o->pair.at[o->first_pair[s] + at - send->lowest];
    return LIT_FALSE;
}

/* ---- what is earlier (M2, M3) ---- */

static void earlier_sends(const struct ours *o, uint32_t id, bool any_tag, earlier_visitor *visit, void *data)
{
    const struct program *p = o->program;
    const struct send *send = &p->send.at[id];
    const struct envelope_class *e = &p->envelope.at[send->envelope];
    const struct channel *c = &p->channel.at[e->channel];
    for (uint32_t i = send->index; i-- > 0;) {
        const struct send *before = &p->send.at[e->send.at[i]];
        if (before->withdrawn) {
            visit(data, EARLIER_GATE, (uint32_t)before->gone_after);
            continue;
        }
        visit(data, EARLIER_SEND, e->send.at[i]);
        break;
    }
    if (any_tag && send->place > 0 && c->send.n > e->send.n)
        visit(data, EARLIER_PREFIX, c->send.at[send->place - 1]);
}

/* The nearest slot of each pattern is enough: it fits what the ones before it fit, so they are full, too. */
static void earlier_slots(const struct ours *o, const struct envelope_class *e, uint32_t at, earlier_visitor *visit,
                          void *data)
{
    const struct program *p = o->program;
    for (int i = 0; i < 4; i++)
        if (e->nearest[at].slot[i] != UINT32_MAX)
            visit(data, EARLIER_SLOT, e->nearest[at].slot[i]);
    for (uint32_t i = 0; p->mailbox.at[e->mailbox].withdrawals && i < at; i++)
        if (p->slot.at[e->slot.at[i]].withdrawn)
            visit(data, EARLIER_GATE, (uint32_t)p->slot.at[e->slot.at[i]].gone_after);
}

void ours_earlier(const struct ours *o, uint32_t send, uint32_t at, bool any_tag, earlier_visitor *visit, void *data)
{
    earlier_sends(o, send, any_tag, visit, data);
    earlier_slots(o, &o->program->envelope.at[o->program->send.at[send].envelope], at, visit, data);
}

uint32_t ours_slots_before(const struct envelope_class *e, const struct probe *probe)
{
    size_t low = 0, high = e->slot.n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (e->slot.at[middle] < probe->next_slot)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)low;
}

/* ---- variables ---- */

static void make_gates(struct ours *o)
{
    const struct program *p = o->program;
    for (size_t g = 0; g < p->halt.n; g++) {
        if (p->halt.at[g].merged)
            continue;
        o->passed[g] = o->certain.passed[g] ? LIT_TRUE : new_literal(o);
        formula_name(o->formula, o->passed[g], "returned %d.%u", p->halt.at[g].rank, p->halt.at[g].op);
    }
}

static int buffered_literal(struct ours *o, const struct send *send)
{
    if (send->mode == SEND_SYNCHRONOUS)
        return LIT_FALSE;
    if (!o->buffering.any || send->mode == SEND_BUFFERED)
        return is_always_buffered(send, o->buffering) ? LIT_TRUE : LIT_FALSE;
    if (!send->asked)
        return LIT_TRUE; /* nobody can tell */
    int literal = new_literal(o);
    formula_name(o->formula, literal, "buffered %d.%u", send->rank, send->op);
    return literal;
}

/* A send's chain: taken by its first slot, by one of its first two, ... */
static void make_pairs(struct ours *o, uint32_t s)
{
    const struct program *p = o->program;
    const struct send *send = &p->send.at[s];
    const struct envelope_class *e = &p->envelope.at[send->envelope];
    int before = LIT_FALSE;
    o->first_pair[s] = (uint32_t)o->pair.n;
    for (uint32_t at = send->lowest; at <= send->highest; at++) {
        const struct slot *slot = &p->slot.at[e->slot.at[at]];
        int pair = send->withdrawn || slot->withdrawn ? LIT_FALSE : o->certain.taken[s] ? LIT_TRUE : new_literal(o);
        formula_name(o->formula, pair, "pair %d.%u %d.%u", send->rank, send->op, slot->rank, p->recv.at[slot->first]);
        int either[] = {before, pair};
        CLAUSE(o->formula, -before, -pair);
        before = formula_or(o->formula, either, 2);
        vec_push(&o->pair, pair);
        vec_push(&o->early, before);
    }
    o->taken[s] = before;
    formula_name(o->formula, before, "matched %d.%u", send->rank, send->op);
}

/* Taken by this slot, and received from there. */
static int received_literal(struct ours *o, const struct slot *slot, int pair)
{
    int both[] = {pair, slot->received == HALT_NEVER ? LIT_FALSE : ours_after(o, slot->received)};
    return slot->takes ? formula_and(o->formula, both, 2) : pair;
}

/* M6: taken, and not by a matched probe alone. */
static int receipt_literal(struct ours *o, uint32_t s)
{
    const struct program *p = o->program;
    const struct send *send = &p->send.at[s];
    const struct envelope_class *e = &p->envelope.at[send->envelope];
    bool takes = false;
    literals received = {0};
    for (uint32_t at = send->lowest; at <= send->highest; at++) {
        const struct slot *slot = &p->slot.at[e->slot.at[at]];
        takes = takes || slot->takes;
        vec_push(&received, received_literal(o, slot, o->pair.at[o->first_pair[s] + at - send->lowest]));
    }
    int any = takes ? formula_or(o->formula, received.at, received.n) : o->taken[s];
    vec_release(&received);
    return any;
}

static void make_done(struct ours *o, uint32_t s)
{
    const struct send *send = &o->program->send.at[s];
    int either[] = {send->asked ? receipt_literal(o, s) : LIT_TRUE, buffered_literal(o, send)};
    o->buffered[s] = either[1];
    o->done[s] = formula_or(o->formula, either, 2);
}

/* ---- slots: how many, and full ---- */

/* At most `room` of these hold; the literal that says that as many do. */
static int full_literal(struct ours *o, uint64_t room, const int *list, size_t n)
{
    if (n < room)
        return LIT_FALSE;
    if (n == room)
        return formula_and(o->formula, list, n);
    if (room == 1) {
        formula_one(o->formula, list, n);
        return formula_or(o->formula, list, n);
    }
    int *least = xcalloc(room + 1, sizeof *least), full;
    formula_count(o->formula, list, n, room + 1, least);
    CLAUSE(o->formula, -least[room]);
    full = least[room - 1];
    free(least);
    return full;
}

/* Taken by this slot of its envelope or an earlier one. */
static int early_literal(const struct ours *o, uint32_t s, uint32_t at)
{
    const struct send *send = &o->program->send.at[s];
    return at < send->lowest || send->lowest > send->highest ? LIT_FALSE
           : at >= send->highest                             ? o->taken[s]
                                                             : o->early.at[o->first_pair[s] + at - send->lowest];
}

/*
 * Where no send fits slots of two patterns, the slots of a pattern get full one after
 * the other, so it can be said of the first ones together: they are full when as many
 * sends are taken by them as there is room.  The last of them then has all that
 * there are, and nothing needs to be counted; a solver is bad at adding up what two
 * slots have got.  Slots that share no sends are counted anew.
 */
static void fill_in_order(struct ours *o, const struct pattern *pattern)
{
    const struct program *p = o->program;
    literals *begins = xcalloc(pattern->slot.n + 1, sizeof *begins), sends = {0}, early = {0};
    int64_t reach = -1;
    uint64_t room = 0;
    for (size_t i = 0; i < pattern->envelope.n; i++) {
        const struct envelope_class *e = &p->envelope.at[pattern->envelope.at[i]];
        for (size_t k = 0; k < e->send.n; k++)
            if (p->send.at[e->send.at[k]].lowest <= p->send.at[e->send.at[k]].highest)
                vec_push(&begins[p->send.at[e->send.at[k]].lowest], (int)e->send.at[k]);
    }
    for (uint32_t at = 0; at < pattern->slot.n; at++) {
        if ((int64_t)at > reach) {
            vec_clear(&sends);
            room = 0;
        }
        for (size_t i = 0; i < begins[at].n; i++) {
            uint32_t highest = p->send.at[begins[at].at[i]].highest;
            vec_push(&sends, begins[at].at[i]);
            reach = (int64_t)highest > reach ? (int64_t)highest : reach;
        }
        vec_clear(&early);
        for (size_t i = 0; i < sends.n; i++)
            vec_push(&early, early_literal(o, (uint32_t)sends.at[i], at));
        room += p->slot.at[pattern->slot.at[at]].room;
        o->full[pattern->slot.at[at]] = full_literal(o, room, early.at, early.n);
        vec_release(&begins[at]);
    }
    free(begins);
    vec_release(&sends);
    vec_release(&early);
}

static void fill_shared(struct ours *o)
{
    const struct program *p = o->program;
    literals *of = xcalloc(p->slot.n + 1, sizeof *of);
    for (uint32_t s = 0; s < p->send.n; s++) {
        const struct send *send = &p->send.at[s];
        for (uint32_t at = send->lowest; at <= send->highest; at++) {
            uint32_t slot = p->envelope.at[send->envelope].slot.at[at];
            int pair = o->pair.at[o->first_pair[s] + at - send->lowest];
            if (pair != LIT_FALSE && p->pattern.at[p->slot.at[slot].pattern].shared)
                vec_push(&of[slot], pair);
        }
    }
    for (size_t i = 0; i < p->slot.n; i++) {
        if (p->pattern.at[p->slot.at[i].pattern].shared)
            o->full[i] = full_literal(o, p->slot.at[i].room, of[i].at, of[i].n);
        vec_release(&of[i]);
    }
    free(of);
}

static void fill_slots(struct ours *o)
{
    const struct program *p = o->program;
    fill_shared(o);
    for (size_t i = 0; i < p->pattern.n; i++)
        if (!p->pattern.at[i].shared)
            fill_in_order(o, &p->pattern.at[i]);
    for (size_t i = 0; i < p->slot.n; i++)
        formula_name(o->formula, o->full[i], "full %d.%u+%u", p->slot.at[i].rank, p->recv.at[p->slot.at[i].first],
                     p->slot.at[i].room);
}

/* ---- what taking means ---- */

static int prefix_literal(struct ours *o, uint32_t s)
{
    const struct program *p = o->program;
    const struct channel *c = &p->channel.at[p->envelope.at[p->send.at[s].envelope].channel];
    uint32_t from = p->send.at[s].place;
    while (from > 0 && !o->prefix[c->send.at[from]])
        from--;
    for (; from <= p->send.at[s].place; from++) {
        uint32_t id = c->send.at[from];
        if (o->prefix[id])
            continue;
        o->prefix[id] = new_literal(o);
        CLAUSE(o->formula, -o->prefix[id], send_gone(o, id));
        if (from > 0)
            CLAUSE(o->formula, -o->prefix[id], o->prefix[c->send.at[from - 1]]);
    }
    return o->prefix[s];
}

struct implication {
    struct ours *ours;
    int cause;
    halt_t after; /* holds, too */
};

static void imply_earlier(void *data, enum earlier kind, uint32_t id)
{
    struct implication *i = data;
    struct ours *o = i->ours;
    int over = LIT_TRUE;
    if (kind == EARLIER_SEND)
        over = send_gone(o, id);
    else if (kind == EARLIER_GATE)
        over = ours_after(o, (halt_t)id);
    else if (kind == EARLIER_PREFIX)
        over = prefix_literal(o, id);
    else if (o->program->slot.at[id].waited < 0 || o->program->slot.at[id].waited > i->after)
        over = o->full[id];
    CLAUSE(o->formula, -i->cause, over);
}

/* Sends of one envelope are taken in order, by slots in order. */
static void keep_order(struct ours *o, uint32_t s)
{
    const struct program *p = o->program;
    const struct send *send = &p->send.at[s];
    const struct envelope_class *e = &p->envelope.at[send->envelope];
    uint32_t i = send->index;
    while (i > 0 && p->send.at[e->send.at[i - 1]].withdrawn)
        i--;
    if (i == 0)
        return;
    uint32_t id = e->send.at[i - 1];
    for (uint32_t at = send->lowest; at <= send->highest; at++) {
        CLAUSE(o->formula, -o->early.at[o->first_pair[s] + at - send->lowest], early_literal(o, id, at));
    }
}

static void say_pairs(struct ours *o, uint32_t s)
{
    const struct program *p = o->program;
    const struct send *send = &p->send.at[s];
    const struct envelope_class *e = &p->envelope.at[send->envelope];
    keep_order(o, s);
    CLAUSE(o->formula, -o->taken[s], send_posted(o, s));
    for (uint32_t at = send->lowest; at <= send->highest; at++) {
        uint32_t slot = e->slot.at[at];
        int pair = o->pair.at[o->first_pair[s] + at - send->lowest];
        struct implication meaning = {o, pair, p->slot.at[slot].after};
        CLAUSE(o->formula, -send_posted(o, s), send_gone(o, s), -slot_posted(o, slot), slot_gone(o, slot));
        CLAUSE(o->formula, -pair, slot_posted(o, slot));
        if (pair != LIT_FALSE)
            ours_earlier(o, s, at, p->slot.at[slot].tag == TAG_ANY, imply_earlier, &meaning);
    }
}

/* ---- halts ---- */

static void make_joins(struct ours *o)
{
    literals all = {0};
    for (size_t i = 0; i < o->joins->join.n; i++) {
        const struct join *join = &o->joins->join.at[i];
        vec_clear(&all);
        for (uint32_t k = 0; k < join->halts; k++)
            vec_push(&all, o->passed[o->joins->halt.at[join->first + k]]);
        if (join->base >= 0)
            vec_push(&all, o->joined[join->base]);
        o->joined[i] = join->never ? LIT_FALSE : formula_and(o->formula, all.at, all.n);
    }
    vec_release(&all);
}

static int join_literal(const struct ours *o, int32_t join)
{
    return join < 0 ? LIT_TRUE : o->joined[join];
}

/*
 * Whether a collective waits for all is one choice for all its parts: that it holds one and has let another go is
 * left to the search, which tells of it as something that is hardly to be met.
 */
static int loose_in_all(struct ours *o, const struct collective_call *part)
{
    struct map_key key = map_key((uint64_t)part->comm << 32 | part->turn);
    uint32_t known;
    if (!map_get(&o->loose_in, key, &known)) {
        known = (uint32_t)new_literal(o);
        map_put(&o->loose_in, key, known);
        formula_name(o->formula, (int)known, "loose %d.%u", part->rank, part->op);
    }
    return (int)known;
}

static int part_complete(struct ours *o, uint32_t id)
{
    int flow = join_literal(o, o->joins->flow.at[id]), full = join_literal(o, o->joins->full.at[id]);
    o->loose[id] = LIT_TRUE;
    if (!o->buffering.any || flow == full)
        return flow;
    o->loose[id] = loose_in_all(o, &o->program->part.at[id]);
    int either[] = {o->loose[id], full};
    int both[] = {flow, formula_or(o->formula, either, 2)};
    return formula_and(o->formula, both, 2);
}

static int complete(struct ours *o, struct return_condition need)
{
    if (need.thing == THING_SLOT)
        return o->full[need.id];
    if (need.thing == THING_PART)
        return o->met[need.id];
    int met[] = {o->taken[need.id], o->buffered[need.id]};
    return need.escapes ? formula_or(o->formula, met, 2) : o->done[need.id];
}

/*
 * The sends of an envelope that can be there for a probe: not those behind too many, nor those that must be gone.
 * Those are what slots before the probe that are for this envelope alone have room for, as these are full; and what
 * cannot be left for a slot that was posted before the probe.  That a send fits no later slot does not mean that
 * it is gone: it may have been left over.
 */
static void sends_for(const struct program *p, const struct envelope_class *e, const struct probe *probe,
                      uint32_t *from, uint32_t *until)
{
    uint32_t before = ours_slots_before(e, probe);
    uint64_t room = 0;
    bool exclusive = true;
    *from = 0;
    *until = (uint32_t)e->send.n;
    if (p->mailbox.at[e->mailbox].withdrawals)
        return;
    for (uint32_t i = 0; i < before && room < e->send.n; i++) {
        const struct slot *slot = &p->slot.at[e->slot.at[i]];
        room += slot->room;
        exclusive = exclusive && slot->from != RANK_ANY && slot->tag != TAG_ANY;
    }
    if (room + 1 < *until)
        *until = (uint32_t)room + 1;
    if (exclusive)
        *from = room < *until ? (uint32_t)room : *until;
    while (*from < *until && p->send.at[e->send.at[*from]].lowest <= p->send.at[e->send.at[*from]].highest &&
           p->send.at[e->send.at[*from]].highest + 1 < before)
        ++*from;
}

/* The probe at a halt finds this send: it is there, and first in line. */
static int find_literal(struct ours *o, uint32_t probe_id, halt_t g, uint32_t s)
{
    const struct program *p = o->program;
    const struct probe *probe = &p->probe.at[probe_id];
    const struct send *send = &p->send.at[s];
    const struct envelope_class *e = &p->envelope.at[send->envelope];
    int found = new_literal(o);
    struct implication meaning = {o, found, probe->after};
    uint32_t before = ours_slots_before(e, probe);
    formula_name(o->formula, found, "found %d.%u %d.%u", probe->rank, probe->op, send->rank, send->op);
    vec_push(&o->sighting, (struct sighting){probe_id, s, found});
    CLAUSE(o->formula, -found, send_posted(o, s));
    CLAUSE(o->formula, -found, o->passed[g]);
    for (uint32_t at = send->lowest; at <= send->highest && at < before; at++)
        CLAUSE(o->formula, -found, -o->pair.at[o->first_pair[s] + at - send->lowest]);
    ours_earlier(o, s, before, probe->tag == TAG_ANY, imply_earlier, &meaning);
    return found;
}

static int probe_literal(struct ours *o, uint32_t id, halt_t g)
{
    const struct program *p = o->program;
    const struct probe *probe = &p->probe.at[id];
    const struct mailbox *m = &p->mailbox.at[probe->mailbox];
    literals found = {0};
    int posted = ours_after(o, probe->after);
    for (size_t i = 0; i < m->envelope.n; i++) {
        const struct envelope_class *e = &p->envelope.at[m->envelope.at[i]];
        uint32_t from, until;
        if (!sem_fits(e->from, e->tag, probe->from, probe->tag))
            continue;
        sends_for(p, e, probe, &from, &until);
        for (; from < until; from++) {
            uint32_t s = e->send.at[from];
            CLAUSE(o->formula, -posted, o->passed[g], -send_posted(o, s), send_gone(o, s));
            if (e->from == probe->told_from && e->tag == probe->told_tag && !p->send.at[s].withdrawn)
                vec_push(&found, find_literal(o, id, g, s));
        }
    }
    formula_one(o->formula, found.at, found.n);
    int any = formula_or(o->formula, found.at, found.n);
    vec_release(&found);
    return any;
}

static void say_halt(struct ours *o, halt_t g)
{
    const struct program *p = o->program;
    const struct halt *halt = &p->halt.at[g];
    int before = ours_after(o, halt->before);
    literals all = {0};
    vec_push(&all, before);
    for (uint32_t i = 0; i < halt->needs; i++)
        vec_push(&all, complete(o, p->need.at[halt->first + i]));
    if (halt->probe >= 0)
        vec_push(&all, probe_literal(o, (uint32_t)halt->probe, g));
    if (halt->shut)
        vec_push(&all, LIT_FALSE);
    for (size_t i = 0; i < all.n; i++) {
        CLAUSE(o->formula, -o->passed[g], all.at[i]);
        all.at[i] = -all.at[i];
    }
    vec_push(&all, o->passed[g]);
    formula_clause(o->formula, all.at, all.n);
    for (uint32_t i = 0; i < halt->others; i++)
        CLAUSE(o->formula, -before, -complete(o, p->need.at[halt->first + halt->needs + i]), o->passed[g]);
    if (halt->firm)
        CLAUSE(o->formula, -before, o->passed[g]);
    vec_release(&all);
}

/* Everybody of whom nobody knows how they would go on is stuck, and in a deadlock somebody is. */
static void somebody_is_stuck(struct ours *o, enum ends ends)
{
    const struct program *p = o->program;
    literals stuck = {0};
    for (rank_t r = 0; r < p->ranks; r++) {
        halt_t last = p->last_halt[r];
        vec_push(&stuck, -ours_after(o, last));
        if (!p->execution->rank[r].ended)
            CLAUSE(o->formula, -ours_after(o, last));
    }
    if (ends == ENDS_IN_DEADLOCK)
        formula_clause(o->formula, stuck.at, stuck.n);
    vec_release(&stuck);
}

void ours_init(struct ours *o, struct program *p, struct joins *joins, struct formula *formula,
               struct buffering buffering, enum ends ends)
{
    *o = (struct ours){.program = p,
                       .joins = joins,
                       .buffering = buffering,
                       .formula = formula,
                       .passed = xcalloc(p->halt.n + 1, sizeof(int)),
                       .taken = xcalloc(p->send.n + 1, sizeof(int)),
                       .buffered = xcalloc(p->send.n + 1, sizeof(int)),
                       .done = xcalloc(p->send.n + 1, sizeof(int)),
                       .met = xcalloc(p->part.n + 1, sizeof(int)),
                       .loose = xcalloc(p->part.n + 1, sizeof(int)),
                       .full = xcalloc(p->slot.n + 1, sizeof(int)),
                       .joined = xcalloc(joins->join.n + 1, sizeof(int)),
                       .prefix = xcalloc(p->send.n + 1, sizeof(int)),
                       .first_pair = xcalloc(p->send.n + 1, sizeof(uint32_t)),
                       .first_sighting = xcalloc(p->probe.n + 2, sizeof(uint32_t))};
    certain_find(&o->certain, p, joins, buffering);
    make_gates(o);
    for (uint32_t s = 0; s < p->send.n; s++) {
        make_pairs(o, s);
        make_done(o, s);
    }
    fill_slots(o);
    make_joins(o);
    for (uint32_t s = 0; s < p->send.n; s++)
        say_pairs(o, s);
    for (uint32_t i = 0; i < p->part.n; i++)
        o->met[i] = part_complete(o, i);
    for (size_t g = 0; g < p->halt.n; g++) {
        if (p->halt.at[g].probe >= 0)
            o->first_sighting[p->halt.at[g].probe] = (uint32_t)o->sighting.n;
        if (!p->halt.at[g].merged)
            say_halt(o, (halt_t)g);
    }
    o->first_sighting[p->probe.n] = (uint32_t)o->sighting.n;
    somebody_is_stuck(o, ends);
}

void ours_release(struct ours *o)
{
    certain_release(&o->certain);
    free(o->passed);
    free(o->taken);
    free(o->buffered);
    free(o->done);
    free(o->met);
    free(o->loose);
    map_release(&o->loose_in);
    free(o->full);
    free(o->joined);
    free(o->prefix);
    free(o->first_pair);
    free(o->first_sighting);
    vec_release(&o->pair);
    vec_release(&o->early);
    vec_release(&o->sighting);
}
