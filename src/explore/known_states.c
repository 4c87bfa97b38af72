#include "explore/known_states.h"

#include "base/bulk.h"
#include "base/die.h"

uint32_t known_states_find(const struct known_states *known, struct map_key key)
{
    return step_index_find(&known->index, known->key.at, key);
}

/* All are put in anew, from their keys: what was there before need not be kept meanwhile. */
static void widen_index(struct known_states *known)
{
    step_index_widen(&known->index);
    for (uint32_t step = 1; step < known->key.n; step++) {
        bulk_pass();
        step_index_add(&known->index, known->key.at, step);
    }
}

void known_states_add(struct known_states *known, struct map_key key, uint32_t step)
{
    if (!known->key.n)
        bulk_push(&known->key, (struct map_key){0});
    if (step != known->key.n)
        BUG("step %u is added behind step %zu", step, known->key.n - 1);
    if (step_index_is_full(&known->index))
        widen_index(known);
    bulk_push(&known->key, key);
    step_index_add(&known->index, known->key.at, step);
}

void known_states_release(struct known_states *known)
{
    bulk_release(&known->key);
    step_index_release(&known->index);
}
