/*
 * state_costs -- what states cost: the cheapest way to each, over all edges that are known (agenda.h).
 *
 * When a cheaper way to a state is found, that is passed on at once to all that follow from it [Dijkstra 1959], along lists of the edges
 * that lead away from each.  A search makes many such finds and each concerns few states, so to
 * go through all edges for them would in the end be most of what it does.
 *
 * Whoever reaches a state for which another one stands (stand_ins.c) has reached that one, too.
 */
#include "explore/search.h"

void edges_ahead_release(struct edges_ahead *ahead)
{
    bulk_release(&ahead->first_step);
    bulk_release(&ahead->next_step);
    bulk_release(&ahead->first_detour);
    bulk_release(&ahead->next_detour);
}

static void link_step(struct edges_ahead *ahead, uint32_t step, uint32_t from)
{
    bulk_push(&ahead->first_step, 0);
    bulk_push(&ahead->first_detour, 0);
    bulk_push(&ahead->next_step, ahead->first_step.at[from]);
    if (from)
        ahead->first_step.at[from] = step;
}

static void link_detour(struct edges_ahead *ahead, uint32_t number, uint32_t from)
{
    bulk_push(&ahead->next_detour, ahead->first_detour.at[from]);
    ahead->first_detour.at[from] = number + 1;
}

/* Those that came since it was last asked for them. */
static void link_new_edges(struct explorer *x)
{
    struct edges_ahead *ahead = &x->ahead;

    while (ahead->next_step.n < x->step.n) {
        bulk_pass();
        link_step(ahead, (uint32_t)ahead->next_step.n, x->step.at[ahead->next_step.n].from);
    }
    while (ahead->next_detour.n < x->detour.n) {
        bulk_pass();
        link_detour(ahead, (uint32_t)ahead->next_detour.n, x->detour.at[ahead->next_detour.n].from);
    }
}

static void lower_cost_of(struct explorer *x, turns_t *turns, uint32_t step, cost_t cost)
{
    if (cost >= x->agenda.cost.at[step])
        return;
    agenda_set_cost(&x->agenda, step, cost);
    turns_add(turns, (struct turn){cost, step});
}

static void lower_cost(struct explorer *x, turns_t *turns, uint32_t to, cost_t cost)
{
    uint32_t other = cost & COST_OWED ? to : search_stand_in(x, to);

    lower_cost_of(x, turns, other, cost);
    if (other == to)
        return;
    x->owes = true;
    lower_cost_of(x, turns, to, cost | COST_OWED);
}

static void lower_followers(struct explorer *x, turns_t *turns, struct turn turn)
{
    const struct edges_ahead *ahead = &x->ahead;

    for (uint32_t s = ahead->first_step.at[turn.number]; s; s = ahead->next_step.at[s])
        lower_cost(x, turns, s, turn.cost + search_price(x, x->step.at[s].pick));
    for (uint32_t d = ahead->first_detour.at[turn.number]; d; d = ahead->next_detour.at[d - 1])
        lower_cost(x, turns, x->detour.at[d - 1].to, turn.cost + search_price(x, x->detour.at[d - 1].pick));
}

/* A state costs less, and whatever follows from it may. */
static void spread_cost(struct explorer *x, uint32_t step, cost_t cost)
{
    turns_t turns = {0};

    link_new_edges(x);
    lower_cost(x, &turns, step, cost);
    while (turns.n) {
        struct turn turn = turns_take(&turns);

        bulk_pass();
        if (turn.cost == x->agenda.cost.at[turn.number])
            lower_followers(x, &turns, turn);
    }
    vec_release(&turns);
}

cost_t search_cost(const struct explorer *x, uint32_t step)
{
    return x->deepens ? x->agenda.cost.at[step] : 0;
}

void search_note_cost(struct explorer *x, uint32_t step, cost_t cost)
{
    uint32_t other;

    if (!x->deepens)
        return;
    agenda_make_room(&x->agenda, x->step.n);
    other = cost & COST_OWED ? step : search_stand_in(x, step);
    if (other != step) {
        x->owes = true;
        if (cost < x->agenda.cost.at[other])
            spread_cost(x, other, cost);
        cost |= COST_OWED;
    }
    if (x->agenda.cost.at[step] == COST_UNKNOWN) /* nothing follows from it yet */
        agenda_set_cost(&x->agenda, step, cost);
    else if (cost < x->agenda.cost.at[step])
        spread_cost(x, step, cost);
}

static void price_errands(struct explorer *x)
{
    for (uint32_t i = 1; i < x->agenda.errand.n; i++) {
        struct errand *errand = &x->agenda.errand.at[i];

        if (errand->n)
            errand->price = search_price(x, x->agenda.pick.at[errand->first]);
    }
}

void search_find_costs(struct explorer *x)
{
    agenda_make_room(&x->agenda, x->step.n);
    for (size_t s = 0; s < x->step.n; s++)
        x->agenda.cost.at[s] = COST_UNKNOWN;
    spread_cost(x, 1, 0);
    price_errands(x);
    agenda_sort(&x->agenda);
}
