/*
 * circles -- ranks that spin on windows lead from a state back to it.
 */
#include "explore/search.h"

#include "base/hash.h"
#include "base/log.h"

/*
 * Who spins on a window comes back to the same state.  If that is by the only point that is decided there, the others would never be:
 * so of every circle one state, the one that closes it, is expanded as a whole (what others call the cycle proviso).
 */
void search_look_for_circle(struct explorer *x, uint32_t from, uint32_t to)
{
    uint32_t known, step = from;

    if (!game_has_machines(&x->game) || map_get(&x->circles, map_key(from), &known))
        return;
    while (step > to) /* who leads to a step has a smaller number */
        step = x->step.at[step].from;
    if (step != to)
        return;
    map_put(&x->circles, map_key(from), 1);
    vec_push(&x->assumed, (struct assumption){.step = from, .circle = true});
}

/*
 * Who spins on a window while it is held up in the tight state owes one decision more there each time round, so the two together never come
 * back to where they were.  It is the same circle all the same: what a run that goes round twice can be held up by, it can be held up by in the
 * second round as in the first.  So a state that differs in debts alone from two others on the way to it is the last of these.
 */
static struct map_key key_without_debts(const struct state *state)
{
    struct map_key key = state->key;

    hash_stir_key(&key, state->tight->state->key);
    return key;
}

static uint32_t find_third_time_round(const struct explorer *x, const struct state *state, uint32_t from)
{
    struct map_key key;
    uint32_t last = 0;

    if (!game_has_keepers(&x->game) || !state->tight || !state->tight->owed)
        return 0;
    key = key_without_debts(state);
    if (map_find(&x->times_without_debts, key, 0) < 2)
        return 0;
    for (uint32_t at = from; at; at = x->step.at[at].from) {
        if (at >= x->without_debts.n || !map_key_is_same(x->without_debts.at[at], key))
            continue;
        if (last)
            return last;
        last = at;
    }
    return 0;
}

void search_note_without_debts(struct explorer *x, const struct state *state, uint32_t at)
{
    struct map_key key;

    if (!game_has_keepers(&x->game) || !state->tight)
        return;
    key = key_without_debts(state);
    while (x->without_debts.n <= at)
        bulk_push(&x->without_debts, (struct map_key){0});
    x->without_debts.at[at] = key;
    map_put(&x->times_without_debts, key, map_find(&x->times_without_debts, key, 0) + 1);
}

bool search_goes_round_again(struct explorer *x, const struct state *state, struct step step, cost_t cost)
{
    uint32_t known = find_third_time_round(x, state, step.from);

    if (!known)
        return false;
    bulk_push(&x->detour, (struct detour){step.from, known, step.pick});
    search_note_cost(x, known, cost);
    search_look_for_circle(x, step.from, known);
    LOG(explore, "state %u leads round to state %u, but for what is owed", step.from, known);
    return true;
}
