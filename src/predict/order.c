#include "predict/order.h"

#include <stdlib.h>

#include "base/die.h"

struct order_edge {
    uint32_t from, to;
    int unless; /* a literal; LIT_FALSE: in any case */
};

struct graph {
    struct ours *ours;
    uint32_t match, slot, prefix, join, probe, receipt, nodes; /* first node of each kind; halts begin at 0 */
    VEC(struct order_edge) edge;
    uint32_t *first;  /* by node, in `out` */
    uint32_t *out;    /* edges by their start */
    uint32_t *causes; /* by node: how many are still to come */
    int32_t *at;      /* by send: where in its window it was taken; -1: not */
    uint32_t *found;  /* by probe: in `sighting`; UINT32_MAX: none */
};

static void connect(struct graph *g, uint32_t from, uint32_t to, int unless)
{
    vec_push(&g->edge, ((struct order_edge){from, to, unless}));
}

static void connect_halt(struct graph *g, halt_t from, uint32_t to)
{
    if (from >= 0)
        connect(g, (uint32_t)from, to, LIT_FALSE);
}

static bool graph_holds(const struct graph *g, int literal)
{
    return formula_holds(g->ours->formula, literal);
}

static void find_takers(struct graph *g)
{
    const struct ours *o = g->ours;
    for (uint32_t s = 0; s < o->program->send.n; s++) {
        const struct send *send = &o->program->send.at[s];
        g->at[s] = -1;
        for (uint32_t at = send->lowest; at <= send->highest && graph_holds(g, o->taken[s]); at++)
            if (graph_holds(g, o->pair.at[o->first_pair[s] + at - send->lowest]))
                g->at[s] = (int32_t)at;
    }
}

/* ---- causes ---- */

/* A matched probe took the message: who waits for more than that waits until it is received. */
static const struct slot *matched_probe(const struct graph *g, uint32_t s)
{
    const struct program *p = g->ours->program;
    if (g->at[s] < 0)
        return NULL;
    const struct slot *slot = &p->slot.at[p->envelope.at[p->send.at[s].envelope].slot.at[g->at[s]]];
    return slot->takes ? slot : NULL;
}

static void receipt_causes(struct graph *g, uint32_t s)
{
    const struct slot *slot = matched_probe(g, s);
    if (slot)
        connect_halt(g, slot->received, g->receipt + s);
}

static void gate_needs(struct graph *g, halt_t halt, struct return_condition need)
{
    struct ours *o = g->ours;
    uint32_t to = (uint32_t)halt;
    if (need.thing == THING_SLOT) {
        connect(g, g->slot + need.id, to, LIT_FALSE);
    } else if (need.thing == THING_SEND) {
        int buffered = o->buffered[need.id];
        if (!graph_holds(g, buffered))
            connect(g, g->match + need.id, to, buffered);
        if (!graph_holds(g, buffered) && !need.escapes && matched_probe(g, need.id))
            connect(g, g->receipt + need.id, to, buffered);
    } else {
        int32_t flow = o->joins->flow.at[need.id], full = o->joins->full.at[need.id];
        if (flow >= 0)
            connect(g, g->join + (uint32_t)flow, to, LIT_FALSE);
        if (full >= 0 && !graph_holds(g, o->loose[need.id]))
            connect(g, g->join + (uint32_t)full, to, o->loose[need.id]);
    }
}

static void gate_causes(struct graph *g, halt_t id)
{
    const struct program *p = g->ours->program;
    const struct halt *halt = &p->halt.at[id];
    if (halt->merged || !graph_holds(g, g->ours->passed[id]))
        return;
    connect_halt(g, halt->before, (uint32_t)id);
    for (uint32_t i = 0; i < halt->needs; i++)
        gate_needs(g, id, p->need.at[halt->first + i]);
    if (halt->probe >= 0)
        connect(g, g->probe + (uint32_t)halt->probe, (uint32_t)id, LIT_FALSE);
}

struct effect {
    struct graph *graph;
    uint32_t node;
};

static void earlier_causes(void *data, enum earlier kind, uint32_t id)
{
    struct effect *effect = data;
    struct graph *g = effect->graph;
    if (kind == EARLIER_GATE)
        connect_halt(g, (halt_t)id, effect->node);
    else
        connect(g,
                (kind == EARLIER_SEND   ? g->match
                 : kind == EARLIER_SLOT ? g->slot
                                        : g->prefix) +
                    id,
                effect->node, LIT_FALSE);
}

static void match_causes(struct graph *g, uint32_t s)
{
    struct ours *o = g->ours;
    const struct program *p = o->program;
    const struct send *send = &p->send.at[s];
    const struct envelope_class *e = &p->envelope.at[send->envelope];
    struct effect effect = {g, g->match + s};
    if (send->withdrawn)
        connect_halt(g, send->gone_after, g->prefix + s);
    if (send->place > 0)
        connect(g, g->prefix + p->channel.at[e->channel].send.at[send->place - 1], g->prefix + s, LIT_FALSE);
    if (g->at[s] < 0)
        return;
    uint32_t slot = e->slot.at[g->at[s]];
    connect_halt(g, send->after, effect.node);
    connect_halt(g, p->slot.at[slot].after, effect.node);
    connect(g, effect.node, g->slot + slot, LIT_FALSE);
    connect(g, effect.node, g->prefix + s, LIT_FALSE);
    ours_earlier(o, s, (uint32_t)g->at[s], p->slot.at[slot].tag == TAG_ANY, earlier_causes, &effect);
}

static void probe_causes(struct graph *g, uint32_t id)
{
    struct ours *o = g->ours;
    const struct program *p = o->program;
    const struct probe *probe = &p->probe.at[id];
    struct effect effect = {g, g->probe + id};
    g->found[id] = UINT32_MAX;
    for (uint32_t i = o->first_sighting[id]; i < o->first_sighting[id + 1]; i++)
        if (graph_holds(g, o->sighting.at[i].literal))
            g->found[id] = i;
    if (g->found[id] == UINT32_MAX)
        return;
    uint32_t s = o->sighting.at[g->found[id]].send;
    const struct envelope_class *e = &p->envelope.at[p->send.at[s].envelope];
    connect_halt(g, probe->after, effect.node);
    connect_halt(g, p->send.at[s].after, effect.node);
    ours_earlier(o, s, ours_slots_before(e, probe), probe->tag == TAG_ANY, earlier_causes, &effect);
}

static void join_causes(struct graph *g, uint32_t id)
{
    const struct join *join = &g->ours->joins->join.at[id];
    if (!graph_holds(g, g->ours->joined[id]))
        return;
    if (join->base >= 0)
        connect(g, g->join + (uint32_t)join->base, g->join + id, LIT_FALSE);
    for (uint32_t i = 0; i < join->halts; i++)
        connect_halt(g, g->ours->joins->halt.at[join->first + i], g->join + id);
}

static void sort_edges(struct graph *g)
{
    g->first = xcalloc(g->nodes + 2, sizeof *g->first);
    g->causes = xcalloc(g->nodes + 1, sizeof *g->causes);
    g->out = xcalloc(g->edge.n + 1, sizeof *g->out);
    for (size_t i = 0; i < g->edge.n; i++) {
        g->first[g->edge.at[i].from + 2]++;
        g->causes[g->edge.at[i].to]++;
    }
    for (uint32_t i = 2; i < g->nodes + 2; i++)
        g->first[i] += g->first[i - 1];
    for (size_t i = 0; i < g->edge.n; i++)
        g->out[g->first[g->edge.at[i].from + 1]++] = (uint32_t)i;
}

static void graph_init(struct graph *g, struct ours *o)
{
    const struct program *p = o->program;
    *g = (struct graph){.ours = o};
    g->match = (uint32_t)p->halt.n;
    g->slot = g->match + (uint32_t)p->send.n;
    g->prefix = g->slot + (uint32_t)p->slot.n;
    g->join = g->prefix + (uint32_t)p->send.n;
    g->probe = g->join + (uint32_t)o->joins->join.n;
    g->receipt = g->probe + (uint32_t)p->probe.n;
    g->nodes = g->receipt + (p->receipt.n ? (uint32_t)p->send.n : 0);
    g->at = xcalloc(p->send.n + 1, sizeof *g->at);
    g->found = xcalloc(p->probe.n + 1, sizeof *g->found);
    find_takers(g);
    for (size_t i = 0; i < p->halt.n; i++)
        gate_causes(g, (halt_t)i);
    for (uint32_t i = 0; i < p->send.n; i++)
        match_causes(g, i);
    for (uint32_t i = 0; i < p->send.n && p->receipt.n; i++)
        receipt_causes(g, i);
    for (uint32_t i = 0; i < p->probe.n; i++)
        probe_causes(g, i);
    for (uint32_t i = 0; i < o->joins->join.n; i++)
        join_causes(g, i);
    sort_edges(g);
}

static void graph_release(struct graph *g)
{
    vec_release(&g->edge);
    free(g->first);
    free(g->out);
    free(g->causes);
    free(g->at);
    free(g->found);
}

/* ---- the order ---- */

static void note_event(struct order *order, struct graph *g, uint32_t node)
{
    const struct program *p = g->ours->program;
    if (node < g->match) {
        if (!p->halt.at[node].merged && graph_holds(g, g->ours->passed[node]))
            vec_push(&order->event, ((struct event){EVENT_PASS, node, 0}));
    } else if (node < g->slot) {
        uint32_t s = node - g->match;
        if (g->at[s] >= 0)
            vec_push(&order->event,
                     ((struct event){EVENT_MATCH, s, p->envelope.at[p->send.at[s].envelope].slot.at[g->at[s]]}));
    } else if (node >= g->probe && node < g->receipt && g->found[node - g->probe] != UINT32_MAX) {
        vec_push(&order->event,
                 ((struct event){EVENT_FIND, node - g->probe, g->ours->sighting.at[g->found[node - g->probe]].send}));
    }
}

/* Does it pass only because a send was buffered?  Such halts wait until nothing else can happen. */
static bool is_lazy(const struct graph *g, uint32_t node)
{
    const struct program *p = g->ours->program;
    if (node >= g->match)
        return false;
    const struct halt *halt = &p->halt.at[node];
    for (uint32_t i = 0; i < halt->needs; i++) {
        struct return_condition need = p->need.at[halt->first + i];
        if (need.thing == THING_SEND)
            return true;
    }
    return false;
}

/* True: all nodes come after their causes.  Else `causes` is not 0 for those in circles and behind them. */
static bool sort_nodes(struct order *order, struct graph *g)
{
    VEC(uint32_t) ready = {0}, lazy = {0};
    size_t done = 0, late = 0;
    for (uint32_t i = 0; i < g->nodes; i++)
        if (g->causes[i] == 0) {
            if (is_lazy(g, i))
                vec_push(&lazy, i);
            else
                vec_push(&ready, i);
        }
    for (size_t next = 0; next < ready.n || late < lazy.n; done++) {
        uint32_t node = next < ready.n ? ready.at[next++] : lazy.at[late++];
        note_event(order, g, node);
        for (uint32_t i = g->first[node]; i < g->first[node + 1]; i++) {
            uint32_t to = g->edge.at[g->out[i]].to;
            if (--g->causes[to] > 0)
                continue;
            if (is_lazy(g, to))
                vec_push(&lazy, to);
            else
                vec_push(&ready, to);
        }
    }
    vec_release(&ready);
    vec_release(&lazy);
    return done == g->nodes;
}

static int pair_of(const struct graph *g, uint32_t s)
{
    const struct ours *o = g->ours;
    return o->pair.at[o->first_pair[s] + (uint32_t)g->at[s] - o->program->send.at[s].lowest];
}

/* The literal that says it did not happen; halts need none. */
static void name_node(struct graph *g, uint32_t node, literals *clause)
{
    struct ours *o = g->ours;
    if (node >= g->match && node < g->slot) {
        vec_push(clause, -pair_of(g, node - g->match));
    } else if (node >= g->receipt) {
        vec_push(clause, -pair_of(g, node - g->receipt)); /* else it need not be received */
    } else if (node >= g->probe) {
        vec_push(clause, -o->sighting.at[g->found[node - g->probe]].literal);
    }
}

/* ---- circles, of the nodes that found no place ---- */

/* What is needed to look for them. */
struct cycle_search {
    struct graph *graph;
    uint32_t *cause;     /* by node: an edge from another such node */
    uint32_t *by;        /* by node: the edge by which it was reached; UINT32_MAX: not */
    uint32_t *seen;      /* by node: in which walk; 0: none */
    VEC(uint32_t) queue; /* nodes reached */
};

static void search_init(struct cycle_search *s, struct graph *g)
{
    *s = (struct cycle_search){.graph = g,
                         .cause = xcalloc(g->nodes + 1, sizeof *s->cause),
                         .by = xcalloc(g->nodes + 1, sizeof *s->by),
                         .seen = xcalloc(g->nodes + 1, sizeof *s->seen)};
    for (uint32_t i = 0; i < g->nodes; i++)
        s->by[i] = UINT32_MAX;
    for (size_t i = 0; i < g->edge.n; i++)
        if (g->causes[g->edge.at[i].from] > 0 && g->causes[g->edge.at[i].to] > 0)
            s->cause[g->edge.at[i].to] = (uint32_t)i;
}

static void search_release(struct cycle_search *s)
{
    free(s->cause);
    free(s->by);
    free(s->seen);
    vec_release(&s->queue);
}

/* From cause to cause, until one comes again: it is in a circle.  UINT32_MAX: another walk was here. */
static uint32_t walk_back(struct cycle_search *s, uint32_t node, uint32_t walk)
{
    while (s->seen[node] == 0) {
        s->seen[node] = walk;
        node = s->graph->edge.at[s->cause[node]].from;
    }
    return s->seen[node] == walk ? node : UINT32_MAX;
}

/* By breadth: the last edge of a shortest circle through `start`. */
static uint32_t close_circle(struct cycle_search *s, uint32_t start)
{
    struct graph *g = s->graph;
    for (size_t i = 0; i < s->queue.n; i++)
        s->by[s->queue.at[i]] = UINT32_MAX;
    vec_clear(&s->queue);
    vec_push(&s->queue, start);
    for (size_t next = 0; next < s->queue.n; next++) {
        uint32_t node = s->queue.at[next];
        for (uint32_t i = g->first[node]; i < g->first[node + 1]; i++) {
            uint32_t to = g->edge.at[g->out[i]].to;
            if (to == start)
                return g->out[i];
            if (s->by[to] == UINT32_MAX && g->causes[to] > 0) {
                s->by[to] = g->out[i];
                vec_push(&s->queue, to);
            }
        }
    }
    BUG("a node in a circle is in none");
}

static void forbid_circle(struct cycle_search *s, uint32_t start)
{
    struct graph *g = s->graph;
    literals clause = {0};
    int halt = LIT_FALSE;
    bool named = false;
    for (uint32_t edge = close_circle(s, start);; edge = s->by[g->edge.at[edge].from]) {
        uint32_t node = g->edge.at[edge].from;
        size_t before = clause.n;
        name_node(g, node, &clause);
        named = named || (clause.n > before && clause.at[before] != LIT_FALSE && node < g->receipt);
        if (node < g->match && halt == LIT_FALSE)
            halt = -g->ours->passed[node];
        vec_push(&clause, g->edge.at[edge].unless);
        if (node == start)
            break;
    }
    if (!named)
        vec_push(&clause, halt);
    formula_clause(g->ours->formula, clause.at, clause.n);
    vec_release(&clause);
}

static void forbid_circles(struct order *order, struct graph *g)
{
    enum { MOST = 50 }; /* at a time */
    struct cycle_search s;
    uint32_t walk = 0, found = 0;
    search_init(&s, g);
    for (uint32_t i = 0; i < g->nodes && found < MOST; i++) {
        if (g->causes[i] == 0 || s.seen[i])
            continue;
        uint32_t start = walk_back(&s, i, ++walk);
        if (start == UINT32_MAX)
            continue;
        forbid_circle(&s, start);
        found++;
    }
    order->circles += found;
    search_release(&s);
}

bool order_find(struct order *order, struct ours *ours)
{
    struct graph g;
    graph_init(&g, ours);
    vec_clear(&order->event);
    bool is_run = sort_nodes(order, &g);
    if (!is_run)
        forbid_circles(order, &g);
    graph_release(&g);
    return is_run;
}

void order_release(struct order *order)
{
    vec_release(&order->event);
}
