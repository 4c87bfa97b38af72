/*
 * stand_ins -- of states that are one to the search but for what follows them with less slack, one stands for the others.
 *
 * What a tight state owes (tight.h) tells states apart that have the same future if MPI buffers everything.  In a long program that polls, each late answer leaves
 * another debt, and from there to its end no run comes back to what is known.  A search that does not end would then have nothing to say for long,
 * of runs with infinite slack neither.  So once it deepens, of such states the first that is reached stands for all: the others are put off until
 * nothing else is left (COST_OWED).  To reach one of them is to reach that which stands for it, so this costs no more than the cheapest of them.
 *
 *     What is complete before any of these are taken up is complete if MPI buffers everything.
 *
 * For what is tried in a state does not depend on the tight one beside it: without those that were put off it is the search for infinite slack.
 * Deadlocks with less slack are looked for on the way of the runs that are made, and of runs at random (stray.c), as always.
 *
 * One that was only ever reached by way of others that were put off stands for nobody, until it is reached otherwise.
 */
#include "explore/search.h"

static bool has_stand_ins(const struct explorer *x)
{
    return x->options.any_slack && !x->options.stepwise && !search_has_bound(x) && !game_has_keepers(&x->game);
}

void search_note_unowing(struct explorer *x, const struct state *state, uint32_t step)
{
    if (!x->options.any_slack)
        return;
    while (x->unowing.n < step)
        bulk_push(&x->unowing, (struct map_key){0});
    bulk_push(&x->unowing, state->key);
}

uint32_t search_stand_in(struct explorer *x, uint32_t step)
{
    uint32_t other;

    if (!has_stand_ins(x))
        return step;
    other = step_index_find(&x->stand_ins, x->unowing.at, x->unowing.at[step]);
    if (!other)
        step_index_add(&x->stand_ins, x->unowing.at, step);
    return other ? other : step;
}

uint32_t search_known_stand_in(const struct explorer *x, uint32_t step)
{
    uint32_t other = has_stand_ins(x) && step ? step_index_find(&x->stand_ins, x->unowing.at, x->unowing.at[step]) : 0;

    return other ? other : step;
}
