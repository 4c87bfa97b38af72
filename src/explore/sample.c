/*
 * sample -- runs decided at random, and what they say about how many there are.
 *
 * The product of the numbers of options on the way of a run that is decided evenly
 * at random is, on average, the number of runs ([Knuth 1975]).
 */
#include "explore/search.h"

uint32_t search_random(struct explorer *x, uint32_t n)
{
    x->random ^= x->random << 13;
    x->random ^= x->random >> 7;
    x->random ^= x->random << 17;
    return (uint32_t)((x->random >> 32) * n >> 32);
}

/* One run; its weight, 0: the time is over; -1: the runner failed. */
static double sample_run(struct explorer *x)
{
    struct state *state = search_begin(x);
    uint32_t step = state ? search_note(x, state, (struct step){0}) : 0;
    double weight = 1;

    while (state && !search_lacks_keepers(x)) {
        struct stretch plan = search_plan(x, state, step);
        uint32_t options = plan.until - plan.first;
        struct option option;

        if (!options)
            break;
        if (search_is_over(x)) {
            state_free_with_tight(&x->game, state);
            return 0;
        }
        option = x->menu.option.at[plan.first + search_random(x, options)];
        weight *= options;
        x->in_hand = (struct step){step, option_pick(&option)};
        search_announce(x, state, step, &option);
        if (search_take(x, state, &option) < 0)
            return -1;
        if (search_lacks_keepers(x))
            break;
        step = search_note(x, state, (struct step){step, option_pick(&option)});
    }
    if (!state)
        return -1;
    if (!search_lacks_keepers(x))
        search_tell(x, state, step);
    state_free_with_tight(&x->game, state);
    return weight;
}

int search_sample(struct explorer *x)
{
    double sum = 0;
    uint64_t runs = 0;

    x->result.left |= LEFT_SAMPLED;
    while (runs < x->options.samples && !search_is_over(x)) {
        double weight = sample_run(x);

        if (weight < 0)
            return -1;
        if (weight == 0)
            break;
        if (search_lacks_keepers(x)) {
            search_begin_anew(x);
            sum = 0;
            runs = 0;
            continue;
        }
        sum += weight;
        runs++;
    }
    x->result.estimate = runs ? sum / (double)runs : 0;
    return 0;
}
