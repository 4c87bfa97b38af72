#include "predict/certain.h"

#include <stdlib.h>

struct certainty_finder {
    const struct program *program;
    const struct joins *joins;
    struct buffering buffering;
    bool *passed;
    uint32_t *first, *send; /* by slot, and one more: the sends it can take, in `send` */
    bool *shared;           /* by slot: some of them could go elsewhere, or are too many */
};

bool is_always_buffered(const struct send *send, struct buffering buffering)
{
    return send->mode == SEND_BUFFERED || (!buffering.any && send_may_be_buffered(send, buffering.slack));
}

static bool is_surely_posted(const struct certainty_finder *f, halt_t after)
{
    return after == HALT_START || f->passed[after];
}

static uint32_t only_slot(const struct program *p, const struct send *send)
{
    return send->lowest == send->highest && !send->withdrawn ? p->envelope.at[send->envelope].slot.at[send->lowest]
                                                             : UINT32_MAX;
}

static bool is_surely_taken(const struct certainty_finder *f, const struct send *send)
{
    uint32_t slot = only_slot(f->program, send);
    return slot != UINT32_MAX && !f->shared[slot] && is_surely_posted(f, send->after) &&
           is_surely_posted(f, f->program->slot.at[slot].after);
}

static bool is_surely_received(const struct certainty_finder *f, const struct send *send)
{
    if (!is_surely_taken(f, send))
        return false;
    const struct slot *slot = &f->program->slot.at[only_slot(f->program, send)];
    return slot->received != HALT_NEVER && is_surely_posted(f, slot->received);
}

static bool is_surely_full(const struct certainty_finder *f, uint32_t slot)
{
    if (f->shared[slot] || f->first[slot + 1] - f->first[slot] < f->program->slot.at[slot].room)
        return false;
    for (uint32_t i = f->first[slot]; i < f->first[slot + 1]; i++)
        if (!is_surely_taken(f, &f->program->send.at[f->send[i]]))
            return false;
    return true;
}

static bool is_surely_complete(const struct certainty_finder *f, struct return_condition need)
{
    if (need.thing == THING_SLOT)
        return is_surely_full(f, need.id);
    if (need.thing == THING_PART)
        return joins_over(f->joins, f->joins->flow.at[need.id], f->passed) &&
               (!f->buffering.any || joins_over(f->joins, f->joins->full.at[need.id], f->passed));
    const struct send *send = &f->program->send.at[need.id];
    return is_always_buffered(send, f->buffering) ||
           (need.escapes ? is_surely_taken(f, send) : is_surely_received(f, send));
}

static bool is_surely_passed(const struct certainty_finder *f, const struct halt *halt)
{
    if (halt->shut || halt->probe >= 0)
        return false;
    for (uint32_t i = 0; i < halt->needs; i++)
        if (!is_surely_complete(f, f->program->need.at[halt->first + i]))
            return false;
    return true;
}

static void pass_gates(struct certainty_finder *f)
{
    const struct program *p = f->program;
    halt_t *next = xmemdup(p->first_halt, (size_t)p->ranks + 1, sizeof *next);
    for (bool moved = true; moved;) {
        moved = false;
        for (rank_t r = 0; r < p->ranks; r++)
            for (; next[r] < p->first_halt[r + 1]; next[r]++) {
                if (p->halt.at[next[r]].merged)
                    continue;
                if (!is_surely_passed(f, &p->halt.at[next[r]]))
                    break;
                moved = f->passed[next[r]] = true;
            }
    }
    free(next);
}

/* The sends of each slot. */
static void sort_sends(struct certainty_finder *f)
{
    const struct program *p = f->program;
    for (size_t i = 0; i < p->send.n; i++) {
        const struct send *send = &p->send.at[i];
        uint32_t only = only_slot(p, send);
        if (only != UINT32_MAX)
            f->first[only + 2]++;
        for (uint32_t at = send->lowest; only == UINT32_MAX && at <= send->highest; at++)
            f->shared[p->envelope.at[send->envelope].slot.at[at]] = true;
    }
    for (size_t i = 2; i < p->slot.n + 2; i++)
        f->first[i] += f->first[i - 1];
    for (uint32_t i = 0; i < p->send.n; i++) {
        uint32_t only = only_slot(p, &p->send.at[i]);
        if (only != UINT32_MAX)
            f->send[f->first[only + 1]++] = i;
    }
    for (size_t i = 0; i < p->slot.n; i++)
        f->shared[i] |= p->slot.at[i].withdrawn || f->first[i + 1] - f->first[i] > p->slot.at[i].room;
}

void certain_find(struct certain *certain, const struct program *p, const struct joins *joins,
                  struct buffering buffering)
{
    struct certainty_finder f = {.program = p,
                                 .joins = joins,
                                 .buffering = buffering,
                                 .passed = xcalloc(p->halt.n + 1, sizeof(bool)),
                                 .first = xcalloc(p->slot.n + 3, sizeof(uint32_t)),
                                 .send = xcalloc(p->send.n + 1, sizeof(uint32_t)),
                                 .shared = xcalloc(p->slot.n + 1, sizeof(bool))};
    sort_sends(&f);
    pass_gates(&f);
    *certain = (struct certain){.passed = f.passed, .taken = xcalloc(p->send.n + 1, sizeof(bool))};
    for (size_t i = 0; i < p->send.n; i++)
        certain->taken[i] = is_surely_taken(&f, &p->send.at[i]);
    free(f.first);
    free(f.send);
    free(f.shared);
}

void certain_release(struct certain *certain)
{
    free(certain->passed);
    free(certain->taken);
}
