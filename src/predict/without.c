#include "predict/without.h"

#include <stdlib.h>
#include <string.h>

/* The posted sends that may be taken by the first slots of a pattern, up to the one asked for last. */
struct supply {
    uint32_t until;
    uint64_t sends;
};

void without_init(struct without *w, const struct program *p, const struct joins *joins, uint64_t slack)
{
    *w = (struct without){.program = p,
                          .joins = joins,
                          .slack = slack,
                          .passed = xcalloc(p->halt.n + 1, sizeof *w->passed),
                          .next = xcalloc((size_t)p->ranks + 1, sizeof *w->next),
                          .first_send = xcalloc((size_t)p->ranks + 2, sizeof *w->first_send),
                          .next_send = xcalloc((size_t)p->ranks + 1, sizeof *w->next_send),
                          .count = xcalloc(p->slot.n + 1, sizeof *w->count),
                          .room = xcalloc(p->slot.n + 1, sizeof *w->room),
                          .turn = xcalloc(p->slot.n + 1, sizeof *w->turn),
                          .supply = xcalloc(p->pattern.n + 1, sizeof *w->supply)};
    for (size_t i = 0; i < p->send.n; i++)
        w->first_send[p->send.at[i].rank + 1]++;
    for (rank_t r = 0; r < p->ranks; r++)
        w->first_send[r + 1] += w->first_send[r];
    for (size_t i = 0; i < p->pattern.n; i++) {
        const struct pattern *pattern = &p->pattern.at[i];
        uint64_t room = 0;
        for (uint32_t k = 0; k < pattern->slot.n; k++) {
            w->room[pattern->slot.at[k]] = room += p->slot.at[pattern->slot.at[k]].room;
            w->turn[pattern->slot.at[k]] = k;
        }
    }
}

void without_release(struct without *w)
{
    free(w->passed);
    free(w->next);
    free(w->first_send);
    free(w->next_send);
    free(w->count);
    free(w->room);
    free(w->turn);
    free(w->supply);
}

bool without_posts(const struct without *w, halt_t after)
{
    return after < 0 || w->passed[after];
}

/* ---- what is there ---- */

static void count_send(struct without *w, const struct send *send)
{
    const struct envelope_class *e = &w->program->envelope.at[send->envelope];
    w->steps++;
    if (send->lowest > send->highest || send->withdrawn)
        return;
    uint32_t slot = e->slot.at[send->lowest], pattern = w->program->slot.at[slot].pattern;
    if (!w->program->pattern.at[pattern].shared) {
        w->count[slot]++;
        w->supply[pattern].sends += w->turn[slot] <= w->supply[pattern].until;
        return;
    }
    for (uint32_t at = send->lowest; at <= send->highest; at++, w->steps++)
        w->count[e->slot.at[at]]++;
}

/* The rank has passed a halt, or is at its beginning. */
static void count_sends(struct without *w, rank_t r, halt_t passed)
{
    const struct program *p = w->program;
    uint32_t *next = &w->next_send[r];
    while (*next < w->first_send[r + 1] && p->send.at[*next].after <= passed)
        count_send(w, &p->send.at[(*next)++]);
}

/* ---- what is possible ---- */

static bool can_be_full(struct without *w, uint32_t id)
{
    const struct program *p = w->program;
    const struct slot *slot = &p->slot.at[id];
    if (id == w->slot)
        return false;
    if (p->mailbox.at[slot->mailbox].withdrawals)
        return true;
    if (p->pattern.at[slot->pattern].shared)
        return w->count[id] >= slot->room;
    struct supply *supply = &w->supply[slot->pattern];
    for (; supply->until < w->turn[id]; w->steps++)
        supply->sends += w->count[p->pattern.at[slot->pattern].slot.at[++supply->until]];
    return supply->sends >= w->room[id];
}

static bool can_be_taken(struct without *w, const struct send *send)
{
    const struct program *p = w->program;
    const struct envelope_class *e = &p->envelope.at[send->envelope];
    for (uint32_t at = send->lowest; at <= send->highest; at++, w->steps++)
        if (without_posts(w, p->slot.at[e->slot.at[at]].after))
            return true;
    return false;
}

static bool is_possible(struct without *w, struct return_condition need)
{
    const struct program *p = w->program;
    if (need.thing == THING_SLOT)
        return can_be_full(w, need.id);
    w->steps += need.thing == THING_PART ? (uint64_t)p->ranks : 0;
    if (need.thing == THING_PART)
        return joins_over(w->joins, w->joins->flow.at[need.id], w->passed);
    return send_may_be_buffered(&p->send.at[need.id], w->slack) || can_be_taken(w, &p->send.at[need.id]);
}

static bool can_pass(struct without *w, const struct halt *halt)
{
    w->steps += 1 + halt->needs;
    for (uint32_t i = 0; i < halt->needs && !halt->merged; i++)
        if (!is_possible(w, w->program->need.at[halt->first + i]))
            return false;
    return !halt->shut;
}

static bool pass_halts(struct without *w, rank_t r)
{
    const struct program *p = w->program;
    halt_t start = w->next[r];
    for (; w->next[r] < p->first_halt[r + 1] && can_pass(w, &p->halt.at[w->next[r]]); w->next[r]++) {
        w->passed[w->next[r]] = true;
        count_sends(w, r, w->next[r]);
    }
    return w->next[r] > start;
}

void without_slot(struct without *w, uint32_t slot)
{
    const struct program *p = w->program;
    w->slot = slot;
    memset(w->passed, 0, p->halt.n * sizeof *w->passed);
    memset(w->count, 0, p->slot.n * sizeof *w->count);
    memset(w->supply, 0, p->pattern.n * sizeof *w->supply);
    memcpy(w->next, p->first_halt, (size_t)p->ranks * sizeof *w->next);
    memcpy(w->next_send, w->first_send, (size_t)p->ranks * sizeof *w->next_send);
    w->steps += p->halt.n / 16;
    for (rank_t r = 0; r < p->ranks; r++)
        count_sends(w, r, HALT_START);
    for (bool moved = true; moved;) {
        moved = false;
        for (rank_t r = 0; r < p->ranks; r++)
            moved |= pass_halts(w, r);
    }
}
