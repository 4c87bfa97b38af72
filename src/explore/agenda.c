#include "explore/agenda.h"

#include "base/bulk.h"
#include "base/die.h"

/* ---- turns: a binary heap ---- */

static bool is_sooner(struct turn a, struct turn b)
{
    return a.cost != b.cost ? a.cost < b.cost : a.number > b.number;
}

void turns_add(turns_t *turns, struct turn turn)
{
    size_t at = turns->n;

    vec_push(turns, turn);
    for (; at > 0 && is_sooner(turn, turns->at[(at - 1) / 2]); at = (at - 1) / 2)
        turns->at[at] = turns->at[(at - 1) / 2];
    turns->at[at] = turn;
}

struct turn turns_take(turns_t *turns)
{
    struct turn first = turns->at[0], last = vec_pop(turns);
    size_t at = 0, child;

    while ((child = 2 * at + 1) < turns->n) {
        if (child + 1 < turns->n && is_sooner(turns->at[child + 1], turns->at[child]))
            child++;
        if (!is_sooner(turns->at[child], last))
            break;
        turns->at[at] = turns->at[child];
        at = child;
    }
    if (turns->n)
        turns->at[at] = last;
    return first;
}

/* ---- errands ---- */

/* Its state is the agenda's no longer; NULL: it kept none. */
static struct state *give_state(struct agenda *agenda, const struct game *game, uint32_t number)
{
    struct state *state = agenda->errand.at[number].state;

    agenda->errand.at[number].state = NULL;
    if (state)
        agenda->kept -= state_holds_with_tight(game, state);
    return state;
}

static void forget_state(struct agenda *agenda, const struct game *game, uint32_t number)
{
    struct state *state = give_state(agenda, game, number);

    if (state)
        state_free_with_tight(game, state);
}

void agenda_release(struct agenda *agenda, const struct game *game)
{
    for (uint32_t i = 1; i < agenda->errand.n; i++)
        forget_state(agenda, game, i);
    bulk_release(&agenda->errand);
    bulk_release(&agenda->pick);
    vec_release(&agenda->turns);
    bulk_release(&agenda->cost);
    bulk_release(&agenda->errand_of);
    *agenda = (struct agenda){0};
}

void agenda_make_room(struct agenda *agenda, size_t steps)
{
    while (agenda->cost.n < steps) {
        bulk_push(&agenda->cost, COST_UNKNOWN);
        bulk_push(&agenda->errand_of, 0);
    }
}

static cost_t errand_cost(const struct agenda *agenda, const struct errand *errand)
{
    return agenda->cost.at[errand->step] + errand->price;
}

void agenda_set_cost(struct agenda *agenda, uint32_t step, cost_t cost)
{
    agenda->cost.at[step] = cost;
    for (uint32_t e = agenda->errand_of.at[step]; e; e = agenda->errand.at[e].before)
        if (agenda->errand.at[e].n)
            turns_add(&agenda->turns, (struct turn){errand_cost(agenda, &agenda->errand.at[e]), e});
}

/* Of the errands that keep their state, the oldest gives its own up. */
static void drop_keeper(struct agenda *agenda, const struct game *game)
{
    uint32_t number = agenda->keeper[agenda->oldest];

    agenda->oldest = (agenda->oldest + 1) % AGENDA_STATES;
    agenda->keepers--;
    if (number < agenda->errand.n)
        forget_state(agenda, game, number);
}

static void keep_state(struct agenda *agenda, const struct game *game, uint32_t number, const struct state *state)
{
    enum { MOST_HELD = 96 * AGENDA_STATES }; /* some ten megabytes, if the states have nothing in common */
    uint64_t holds = state_holds_with_tight(game, state);

    while (agenda->keepers && (agenda->keepers == AGENDA_STATES || agenda->kept + holds > MOST_HELD))
        drop_keeper(agenda, game);
    agenda->keeper[(agenda->oldest + agenda->keepers++) % AGENDA_STATES] = number;
    agenda->errand.at[number].state = state_clone_with_tight(game, state);
    agenda->kept += holds;
}

void agenda_add(struct agenda *agenda, const struct game *game, struct errand errand, const struct pick *pick, size_t n,
                const struct state *state)
{
    uint32_t number;

    if (!n)
        return;
    if (!agenda->errand.n)
        bulk_push(&agenda->errand, (struct errand){0});
    if (agenda->errand.n >= UINT32_MAX)
        die("more than 2^32 errands");
    number = (uint32_t)agenda->errand.n;
    errand.n = (uint32_t)n;
    errand.first = agenda->pick.n;
    errand.before = agenda->errand_of.at[errand.step];
    errand.state = NULL;
    for (size_t i = 0; i < n; i++)
        bulk_push(&agenda->pick, pick[i]);
    bulk_push(&agenda->errand, errand);
    agenda->errand_of.at[errand.step] = number;
    turns_add(&agenda->turns, (struct turn){errand_cost(agenda, &errand), number});
    if (state)
        keep_state(agenda, game, number, state);
}

/* Whether the errand is done, or another one has its number, or has another turn since it costs less. */
static bool turn_is_over(const struct agenda *agenda, struct turn turn)
{
    const struct errand *errand = turn.number < agenda->errand.n ? &agenda->errand.at[turn.number] : NULL;

    return !errand || !errand->n || turn.cost != errand_cost(agenda, errand);
}

cost_t agenda_next(struct agenda *agenda)
{
    while (agenda->turns.n && turn_is_over(agenda, agenda->turns.at[0]))
        turns_take(&agenda->turns);
    return agenda->turns.n ? agenda->turns.at[0].cost : COST_UNKNOWN;
}

struct errand *agenda_coming(struct agenda *agenda, size_t i, cost_t most)
{
    struct turn turn = agenda->turns.at[i];

    return turn.cost > most || turn_is_over(agenda, turn) ? NULL : &agenda->errand.at[turn.number];
}

/* Most are taken in the order in which they came, the last one first: then their room is used again. */
static void drop_errand(struct agenda *agenda, uint32_t number)
{
    struct errand *errand = &agenda->errand.at[number];

    errand->n = 0;
    if (agenda->errand_of.at[errand->step] != number)
        return;
    agenda->errand_of.at[errand->step] = errand->before;
    if (number + 1 < agenda->errand.n)
        return;
    agenda->pick.n = errand->first;
    agenda->errand.n--;
}

struct errand agenda_take_number(struct agenda *agenda, const struct game *game, uint32_t number)
{
    struct errand errand = agenda->errand.at[number];

    give_state(agenda, game, number);
    drop_errand(agenda, number);
    return errand;
}

struct errand agenda_take(struct agenda *agenda, const struct game *game)
{
    return agenda_take_number(agenda, game, turns_take(&agenda->turns).number);
}

uint32_t agenda_latest(const struct agenda *agenda, uint32_t before, cost_t cost)
{
    uint32_t number = before < agenda->errand.n ? before : (uint32_t)agenda->errand.n;

    while (number-- > 1)
        if (agenda->errand.at[number].n && errand_cost(agenda, &agenda->errand.at[number]) < cost)
            return number;
    return 0;
}

static void strike_pick(struct agenda *agenda, struct errand *errand, size_t at)
{
    for (size_t i = at; i + 1 < errand->n; i++)
        agenda->pick.at[errand->first + i] = agenda->pick.at[errand->first + i + 1];
    errand->n--;
}

double agenda_strike(struct agenda *agenda, uint32_t step, struct pick *pick)
{
    for (uint32_t e = agenda->errand_of.at[step]; e; e = agenda->errand.at[e].before) {
        struct errand *errand = &agenda->errand.at[e];

        for (size_t i = 0; i < errand->n; i++) {
            const struct pick *other = &agenda->pick.at[errand->first + i];

            if (other->op != pick->op || other->choice != pick->choice)
                continue;
            *pick = *other;
            strike_pick(agenda, errand, i);
            return errand->share;
        }
    }
    return -1;
}

uint32_t agenda_left(const struct agenda *agenda, uint32_t step)
{
    uint32_t left = 0;

    for (uint32_t e = step < agenda->errand_of.n ? agenda->errand_of.at[step] : 0; e; e = agenda->errand.at[e].before)
        left += agenda->errand.at[e].n;
    return left;
}

void agenda_sort(struct agenda *agenda)
{
    vec_clear(&agenda->turns);
    for (uint32_t i = 1; i < agenda->errand.n; i++) {
        const struct errand *errand = &agenda->errand.at[i];

        if (errand->n)
            turns_add(&agenda->turns, (struct turn){errand_cost(agenda, errand), i});
    }
}
