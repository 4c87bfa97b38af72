/*
 * invariants_search -- what the search remembers of its way: steps, what is pending, and what was counted.
 */
#include <math.h>
#include <stdlib.h>

#include "explore/invariants.h"
#include "explore/search.h"

static void check_steps(const struct explorer *x)
{
    size_t states = x->step.n - 1, known = x->known.key.n ? x->known.key.n - 1 : 0;

    INVARIANT(known == states && x->result.states == states,
              "%zu states are known, %llu were counted, and %zu steps led to them", known,
              (unsigned long long)x->result.states, states);
    for (size_t i = 1; i < x->step.n; i++)
        INVARIANT(x->step.at[i].from < i && (i == 1) == !x->step.at[i].from, "step %zu comes from step %u", i,
                  x->step.at[i].from);
    for (size_t i = 0; i < x->detour.n; i++)
        INVARIANT(x->detour.at[i].from < x->step.n && x->detour.at[i].to < x->step.n && x->detour.at[i].to,
                  "a detour leads to no state");
    for (size_t i = 0; i < x->ended.n; i++)
        INVARIANT(x->ended.at[i].step && x->ended.at[i].step < x->step.n, "a run ended at no state");
    for (size_t i = 0; i < x->assumed.n; i++)
        INVARIANT(x->assumed.at[i].step < x->step.n && x->assumed.at[i].first + x->assumed.at[i].doubts <= x->doubts.n,
                  "an assumption rests on doubts that are not there");
}

/* Returns which part of the search is pending in it. */
static double check_frame(const struct explorer *x, size_t f)
{
    const struct frame *frame = &x->frame.at[f];

    INVARIANT(frame->first == (f ? x->frame.at[f - 1].until : 0) && frame->first <= frame->until &&
                  frame->until <= x->pending.n,
              "options %zu to %zu are pending, which are others'", frame->first, frame->until);
    INVARIANT(frame->state && frame->step && frame->step < x->step.n, "options are pending of no state");
    return frame->share * (double)(frame->until - frame->first);
}

/* No state costs more than by any edge that leads to it. */
static void check_costs(const struct explorer *x)
{
    const struct agenda *agenda = &x->agenda;

    INVARIANT(!x->deepens || x->options.samples || agenda->cost.n == (x->step.n > 1 ? x->step.n : 0),
              "the costs of %zu states are known, of %zu", agenda->cost.n, x->step.n);
    for (size_t i = 1; i < agenda->cost.n; i++)
        INVARIANT(agenda->cost.at[i] != COST_UNKNOWN, "state %zu has no cost", i);
    for (size_t i = 2; agenda->cost.n && i < x->step.n + x->detour.n; i++) {
        struct state_edge edge = search_edge(x, i);

        cost_t cost = agenda->cost.at[edge.from] + search_price(x, edge.pick);
        uint32_t other = cost & COST_OWED ? edge.to : search_known_stand_in(x, edge.to);

        INVARIANT(agenda->cost.at[other] <= cost && agenda->cost.at[edge.to] <= (other == edge.to ? cost : cost | COST_OWED),
                  "state %u costs more than by way of state %u", edge.to, edge.from);
    }
}

/* Returns which part of the search is on errands. */
static double check_errands(const struct explorer *x)
{
    const struct agenda *agenda = &x->agenda;
    double part = 0;

    for (size_t i = 1; i < agenda->errand.n; i++) {
        const struct errand *errand = &agenda->errand.at[i];

        INVARIANT(errand->step < x->step.n && errand->first + errand->n <= agenda->pick.n,
                  "an errand has options that are not there");
        part += errand->share * errand->n;
    }
    return part;
}

/* What is covered and what is pending are the whole search, unless it is about to begin anew or the runner failed. */
static void check_search_frames(const struct explorer *x)
{
    bool parted = x->game.learned || x->options.samples || x->result.left & LEFT_RUNNER;
    double whole = x->covered + check_errands(x);

    for (size_t f = 0; f < x->frame.n; f++)
        whole += check_frame(x, f);
    INVARIANT(parted || !x->frame.n || fabs(whole - 1) < 1e-6, "%g of the search is covered or pending", whole);
}

/* Runs that were made ahead, or beside, are counted before the search comes to their ends. */
static size_t count_early_ends(const struct explorer *x)
{
    size_t n = 0;
    uint32_t opinion;

    for (size_t i = 0; i < x->early_ends.cap; i++)
        n += x->early_ends.slot[i].full && !map_get(&x->ends, x->early_ends.slot[i].key, &opinion);
    return n;
}

static void check_counts(const struct explorer *x)
{
    uint64_t ends = 0;

    for (size_t i = 0; i < sizeof x->result.by_end / sizeof *x->result.by_end; i++)
        ends += x->result.by_end[i];
    INVARIANT(ends == x->result.runs && x->ends.n + count_early_ends(x) == x->result.runs,
              "%llu runs ended in some way, %zu at states of their own, of %llu", (unsigned long long)ends, x->ends.n,
              (unsigned long long)x->result.runs);
}

void search_check_invariants(const struct explorer *x)
{
    check_steps(x);
    check_costs(x);
    check_search_frames(x);
    check_counts(x);
    tree_check_invariants(&x->game.tree);
}

/* TOURNEY_BREAK=N in the environment: the N-th step is broken, so that tests see what is said then. */
static bool is_to_break(uint64_t step)
{
    const char *wanted = getenv("TOURNEY_BREAK");

    return wanted && strtoull(wanted, NULL, 10) == step;
}

void search_check_step(const struct explorer *x)
{
    INVARIANT(!is_to_break(x->result.steps), "step %llu is broken", (unsigned long long)x->result.steps);
    if ((x->result.steps & (x->result.steps - 1)) == 0)
        search_check_invariants(x);
    else if (x->frame.n)
        check_frame(x, x->frame.n - 1);
}
