#include "predict/bounds.h"

#include <stdlib.h>
#include <string.h>

#include "predict/without.h"

struct bounds {
    struct program *program;
    const struct joins *joins;
    uint64_t slack;
    uint32_t *clock;          /* halts x ranks: halts passed; NULL: too many to keep */
    uint32_t *join_clock;     /* joins x ranks */
    bool *joined;             /* by join: its clock is known */
    bool *known;              /* by halt: likewise */
    uint32_t *candidates;     /* by slot: how many sends may be taken there */
    VEC(struct envelope_slot) places; /* by slot: envelopes it fits, and where */
    uint32_t *first_in_envelope;
    uint32_t *floor;          /* by send: what was found without some slot; it is not lower */
};

struct envelope_slot {
    uint32_t envelope, at;
};

/* ---- what must be over ---- */

static uint32_t *clock_of(const struct bounds *b, halt_t g)
{
    return b->clock + (size_t)g * (size_t)b->program->ranks;
}

static void learn_clock(const struct bounds *b, uint32_t *clock, halt_t g)
{
    if (g < 0)
        return;
    const uint32_t *other = clock_of(b, g);
    for (int r = 0; r < b->program->ranks; r++)
        if (clock[r] < other[r])
            clock[r] = other[r];
}

/* The halts whose passing a need implies are told to `visit`; false from it ends the walk. */
typedef bool visitor(struct bounds *, uint32_t *clock, halt_t);

static bool is_clock_known(struct bounds *b, uint32_t *clock, halt_t g)
{
    (void)clock;
    return g < 0 || b->known[g];
}

static bool take_over(struct bounds *b, uint32_t *clock, halt_t g)
{
    learn_clock(b, clock, g);
    return true;
}

/* Of an envelope's sends, those whose window holds its slot number `at`. */
static void range_at(const struct program *p, const struct envelope_class *e, uint32_t at, size_t *from, size_t *until)
{
    size_t low = 0, high = e->send.n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (p->send.at[e->send.at[middle]].highest < at)
            low = middle + 1;
        else
            high = middle;
    }
    *from = low;
    high = e->send.n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (p->send.at[e->send.at[middle]].lowest <= at)
            low = middle + 1;
        else
            high = middle;
    }
    *until = low;
}

/* A full slot has taken all it could: each of them was posted before. */
static bool visit_slot(struct bounds *b, uint32_t id, uint32_t *clock, visitor *visit)
{
    const struct program *p = b->program;
    if (b->candidates[id] != p->slot.at[id].room)
        return true;
    for (uint32_t i = b->first_in_envelope[id]; i < b->first_in_envelope[id + 1]; i++) {
        const struct envelope_class *e = &p->envelope.at[b->places.at[i].envelope];
        size_t from, until;
        range_at(p, e, b->places.at[i].at, &from, &until);
        for (; from < until; from++)
            if (!visit(b, clock, p->send.at[e->send.at[from]].after))
                return false;
    }
    return true;
}

static bool visit_send(struct bounds *b, const struct send *send, uint32_t *clock, visitor *visit)
{
    const struct program *p = b->program;
    if (send_may_be_buffered(send, b->slack) || send->lowest != send->highest)
        return true;
    return visit(b, clock, p->slot.at[p->envelope.at[send->envelope].slot.at[send->lowest]].after);
}

static bool join_is_known(struct bounds *b, int32_t id)
{
    const struct join *join = &b->joins->join.at[id];
    if (b->joined[id])
        return true;
    if (join->never || (join->base >= 0 && !join_is_known(b, join->base)))
        return false;
    for (uint32_t i = 0; i < join->halts; i++)
        if (!b->known[b->joins->halt.at[join->first + i]])
            return false;
    uint32_t *clock = b->join_clock + (size_t)id * (size_t)b->program->ranks;
    for (uint32_t i = 0; i < join->halts; i++)
        learn_clock(b, clock, b->joins->halt.at[join->first + i]);
    for (int r = 0; join->base >= 0 && r < b->program->ranks; r++) {
        uint32_t base = b->join_clock[(size_t)join->base * (size_t)b->program->ranks + (size_t)r];
        clock[r] = clock[r] < base ? base : clock[r];
    }
    return b->joined[id] = true;
}

static bool visit_part(struct bounds *b, uint32_t id, uint32_t *clock, bool forced)
{
    int32_t join = b->joins->flow.at[id];
    if (join < 0)
        return true;
    if (!join_is_known(b, join))
        return forced;
    for (int r = 0; clock && r < b->program->ranks; r++) {
        uint32_t other = b->join_clock[(size_t)join * (size_t)b->program->ranks + (size_t)r];
        clock[r] = clock[r] < other ? other : clock[r];
    }
    return true;
}

static bool visit_needs(struct bounds *b, const struct halt *halt, uint32_t *clock, visitor *visit, bool forced)
{
    const struct program *p = b->program;
    for (uint32_t i = 0; i < halt->needs; i++) {
        struct return_condition need = p->need.at[halt->first + i];
        bool go_on = need.thing == THING_SLOT   ? visit_slot(b, need.id, clock, visit)
                     : need.thing == THING_SEND ? visit_send(b, &p->send.at[need.id], clock, visit)
                                                : visit_part(b, need.id, clock, forced);
        if (!go_on)
            return false;
    }
    return true;
}

static void pass_halt(struct bounds *b, halt_t g, bool forced)
{
    const struct halt *halt = &b->program->halt.at[g];
    uint32_t *clock = clock_of(b, g);
    learn_clock(b, clock, halt->before);
    clock[halt->rank] = (uint32_t)(g - b->program->first_halt[halt->rank]) + 1;
    visit_needs(b, halt, clock, take_over, forced);
    b->known[g] = true;
}

/*
 * Gates in an order in which most of what one needs is known before it; where there
 * is none, less is known, which is never wrong.
 */
static void run_clocks(struct bounds *b)
{
    const struct program *p = b->program;
    halt_t *next = xmemdup(p->first_halt, (size_t)p->ranks + 1, sizeof *next);
    size_t left = p->halt.n;
    memset(b->clock, 0, p->halt.n * (size_t)p->ranks * sizeof *b->clock);
    memset(b->join_clock, 0, b->joins->join.n * (size_t)p->ranks * sizeof *b->join_clock);
    memset(b->known, 0, p->halt.n * sizeof *b->known);
    memset(b->joined, 0, b->joins->join.n * sizeof *b->joined);
    for (bool forced = false; left > 0;) {
        size_t before = left;
        for (rank_t r = 0; r < p->ranks; r++)
            while (next[r] < p->first_halt[r + 1]) {
                const struct halt *halt = &p->halt.at[next[r]];
                if (!halt->merged && !forced && !visit_needs(b, halt, NULL, is_clock_known, false))
                    break;
                if (!halt->merged)
                    pass_halt(b, next[r], forced);
                forced = false;
                next[r]++;
                left--;
            }
        forced = left == before;
    }
    free(next);
}

static bool must_be_full(const struct bounds *b, const struct slot *slot, halt_t when)
{
    if (!b->clock || slot->waited < 0 || when < 0 || slot->withdrawn)
        return false;
    return clock_of(b, when)[slot->rank] > (uint32_t)(slot->waited - b->program->first_halt[slot->rank]);
}

/* ---- counting ---- */

static void set_lowest(struct bounds *b, struct envelope_class *e)
{
    struct program *p = b->program;
    uint32_t slots = (uint32_t)e->slot.n, at = 0, fits = 0;
    uint64_t room = 0; /* of the slots before `fits` */
    for (size_t i = 0; i < e->send.n; i++) {
        struct send *send = &p->send.at[e->send.at[i]];
        while (at < slots && must_be_full(b, &p->slot.at[e->slot.at[at]], send->after))
            at++;
        while (fits < slots && room + p->slot.at[e->slot.at[fits]].room <= i)
            room += p->slot.at[e->slot.at[fits++]].room;
        if (at < b->floor[e->send.at[i]])
            at = b->floor[e->send.at[i]];
        send->lowest = p->mailbox.at[e->mailbox].withdrawals ? at : at > fits ? at : fits;
    }
}

static bool is_exclusive(const struct program *p, const struct envelope_class *e)
{
    for (size_t i = 0; i < e->slot.n; i++)
        if (p->slot.at[e->slot.at[i]].from == RANK_ANY || p->slot.at[e->slot.at[i]].tag == TAG_ANY)
            return false;
    return true;
}

/* Where in its mailbox the slots of an envelope are: `position` by slot. */
static void set_highest(struct bounds *b, struct envelope_class *e, const uint32_t *position, const uint64_t *full,
                        const uint64_t *supply)
{
    struct program *p = b->program;
    bool exclusive = is_exclusive(p, e);
    uint32_t at = 0, own = 0;
    uint64_t room = 0;
    for (size_t i = 0; i < e->send.n; i++) {
        struct send *send = &p->send.at[e->send.at[i]];
        for (; at < e->slot.n; at++) {
            uint32_t here = position[e->slot.at[at]];
            while (own < e->send.n && p->send.at[e->send.at[own]].lowest < at)
                own++;
            uint64_t others = supply[here] - own;
            uint64_t needed = room > full[here] ? room : full[here];
            if (exclusive ? room > i : needed > others + i)
                break;
            room += p->slot.at[e->slot.at[at]].room;
        }
        send->highest = at == 0 ? 0 : at - 1;
        if (at == 0)
            send->lowest = 1;
    }
}

/* By position: room of what must be full when that slot is posted, and sends that may be taken earlier. */
static void count_mailbox(struct bounds *b, struct mailbox *m, uint32_t *position)
{
    struct program *p = b->program;
    uint64_t *full = xcalloc(m->slot.n + 1, sizeof *full), *supply = xcalloc(m->slot.n + 2, sizeof *supply);
    for (size_t i = 0; i < m->slot.n; i++)
        position[m->slot.at[i]] = (uint32_t)i;
    for (size_t i = 0, done = 0; i < m->slot.n; i++) {
        full[i] = i ? full[i - 1] : 0;
        for (; done < i; done++) {
            const struct slot *slot = &p->slot.at[m->slot.at[done]];
            if (slot->waited < 0 || slot->waited > p->slot.at[m->slot.at[i]].after)
                break;
            full[i] += slot->room;
        }
    }
    for (size_t i = 0; i < m->envelope.n; i++) {
        const struct envelope_class *e = &p->envelope.at[m->envelope.at[i]];
        for (size_t k = 0; k < e->send.n; k++) {
            const struct send *send = &p->send.at[e->send.at[k]];
            if (send->lowest < e->slot.n)
                supply[position[e->slot.at[send->lowest]] + 1]++;
        }
    }
    for (size_t i = 1; i < m->slot.n + 2; i++)
        supply[i] += supply[i - 1];
    for (size_t i = 0; i < m->envelope.n; i++)
        set_highest(b, &p->envelope.at[m->envelope.at[i]], position, full, supply);
    free(full);
    free(supply);
}

static void open_windows(struct program *p, struct mailbox *m)
{
    for (size_t i = 0; i < m->envelope.n; i++) {
        const struct envelope_class *e = &p->envelope.at[m->envelope.at[i]];
        for (size_t k = 0; k < e->send.n; k++) {
            struct send *send = &p->send.at[e->send.at[k]];
            send->highest = e->slot.n ? (uint32_t)e->slot.n - 1 : 0;
            if (e->slot.n == 0)
                send->lowest = 1;
        }
    }
}

static uint64_t run_counts(struct bounds *b)
{
    struct program *p = b->program;
    uint32_t *position = xcalloc(p->slot.n + 1, sizeof *position);
    uint64_t pairs = 0;
    for (size_t i = 0; i < p->envelope.n; i++)
        set_lowest(b, &p->envelope.at[i]);
    for (size_t i = 0; i < p->mailbox.n; i++) {
        if (p->mailbox.at[i].withdrawals)
            open_windows(p, &p->mailbox.at[i]);
        else
            count_mailbox(b, &p->mailbox.at[i], position);
    }
    for (size_t i = 0; i < p->send.n; i++)
        if (p->send.at[i].lowest <= p->send.at[i].highest)
            pairs += p->send.at[i].highest - p->send.at[i].lowest + 1;
    free(position);
    return pairs;
}

static void count_candidates(struct bounds *b)
{
    const struct program *p = b->program;
    memset(b->candidates, 0, p->slot.n * sizeof *b->candidates);
    for (size_t i = 0; i < p->envelope.n; i++) {
        const struct envelope_class *e = &p->envelope.at[i];
        int64_t *change = xcalloc(e->slot.n + 2, sizeof *change), now = 0;
        for (size_t k = 0; k < e->send.n; k++) {
            const struct send *send = &p->send.at[e->send.at[k]];
            if (send->lowest <= send->highest && !send->withdrawn) {
                change[send->lowest]++;
                change[send->highest + 1]--;
            }
        }
        for (size_t k = 0; k < e->slot.n; k++)
            b->candidates[e->slot.at[k]] += (uint32_t)(now += change[k]);
        free(change);
    }
    for (size_t i = 0; i < p->mailbox.n; i++) /* there, windows are not in order */
        for (size_t k = 0; p->mailbox.at[i].withdrawals && k < p->mailbox.at[i].slot.n; k++)
            b->candidates[p->mailbox.at[i].slot.at[k]] = UINT32_MAX;
}

static void find_slot_places(struct bounds *b)
{
    const struct program *p = b->program;
    uint32_t *n = xcalloc(p->slot.n + 2, sizeof *n);
    size_t all = 0;
    for (size_t i = 0; i < p->envelope.n; i++)
        for (size_t k = 0; k < p->envelope.at[i].slot.n; k++, all++)
            n[p->envelope.at[i].slot.at[k] + 1]++;
    for (size_t i = 1; i <= p->slot.n; i++)
        n[i] += n[i - 1];
    b->first_in_envelope = xmemdup(n, p->slot.n + 2, sizeof *n);
    vec_reserve(&b->places, all + 1);
    b->places.n = all;
    for (size_t i = 0; i < p->envelope.n; i++)
        for (size_t k = 0; k < p->envelope.at[i].slot.n; k++)
            b->places.at[n[p->envelope.at[i].slot.at[k]]++] = (struct envelope_slot){(uint32_t)i, (uint32_t)k};
    free(n);
}

/* ---- what cannot be there in time ---- */

/* A send that is not for the slot is for later ones: for all later ones of one pattern, for they get full in order. */
static bool raise_floor(struct bounds *b, uint32_t s, uint32_t at, bool shared)
{
    if (b->floor[s] > at || (shared && b->program->send.at[s].lowest != at))
        return false;
    b->floor[s] = at + 1;
    return true;
}

static bool leave_out(struct bounds *b, const struct without *w, uint32_t id)
{
    const struct program *p = b->program;
    bool any = false, shared = p->pattern.at[p->slot.at[id].pattern].shared;
    for (uint32_t i = b->first_in_envelope[id]; i < b->first_in_envelope[id + 1]; i++) {
        struct envelope_slot place = b->places.at[i];
        const struct envelope_class *e = &p->envelope.at[place.envelope];
        size_t from, until;
        range_at(p, e, place.at, &from, &until);
        for (; from < until; from++)
            if (!without_posts(w, p->send.at[e->send.at[from]].after))
                any |= raise_floor(b, e->send.at[from], place.at, shared);
    }
    return any;
}

/* Looks at slots with too many candidates, as far as that can be afforded; whether it helped. */
static bool run_without(struct bounds *b)
{
    enum { LEAST = 1 << 22, EACH = 16 };
    struct program *p = b->program;
    uint64_t most = EACH * (p->halt.n + p->send.n + p->slot.n);
    struct without w;
    bool any = false;
    without_init(&w, p, b->joins, b->slack);
    for (uint32_t i = 0; i < p->slot.n && w.steps < (most > LEAST ? most : LEAST); i++) {
        if (b->candidates[i] <= p->slot.at[i].room || p->mailbox.at[p->slot.at[i].mailbox].withdrawals)
            continue;
        without_slot(&w, i);
        any |= leave_out(b, &w, i);
    }
    without_release(&w);
    return any;
}

/* Clocks and counts take turns until nothing changes. */
static uint64_t settle_bounds(struct bounds *b, uint64_t now)
{
    enum { ROUNDS = 4 };
    uint64_t pairs = UINT64_MAX;
    for (int round = 0; b->clock && round < ROUNDS && now < pairs; round++) {
        pairs = now;
        count_candidates(b);
        run_clocks(b);
        now = run_counts(b);
    }
    return now;
}

uint64_t bounds_find(struct program *p, const struct joins *joins, uint64_t slack)
{
    enum { CLOCKS = 1 << 28 };
    size_t ranks = (size_t)p->ranks;
    bool small = (p->halt.n + joins->join.n + 1) * ranks < CLOCKS;
    struct bounds b = {.program = p,
                       .joins = joins,
                       .slack = slack,
                       .clock = small ? xcalloc(p->halt.n * ranks + 1, sizeof *b.clock) : NULL,
                       .join_clock = small ? xcalloc(joins->join.n * ranks + 1, sizeof *b.join_clock) : NULL,
                       .joined = xcalloc(joins->join.n + 1, sizeof *b.joined),
                       .known = xcalloc(p->halt.n + 1, sizeof *b.known),
                       .candidates = xcalloc(p->slot.n + 1, sizeof *b.candidates),
                       .floor = xcalloc(p->send.n + 1, sizeof *b.floor)};
    find_slot_places(&b);
    uint64_t pairs = settle_bounds(&b, run_counts(&b));
    count_candidates(&b);
    if (run_without(&b))
        pairs = settle_bounds(&b, run_counts(&b));
    free(b.clock);
    free(b.join_clock);
    free(b.joined);
    free(b.known);
    free(b.candidates);
    free(b.first_in_envelope);
    free(b.floor);
    vec_release(&b.places);
    return pairs;
}
