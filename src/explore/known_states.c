#include "explore/known_states.h"

#include "base/bulk.h"
#include "base/die.h"

enum { LEAST = 64 };

/* The keys are hashes already. */
static size_t home_of(const struct known_states *known, struct map_key key)
{
    return key.low & (known->cap - 1);
}

static uint32_t part_of(struct map_key key)
{
    return (uint32_t)key.high;
}

uint32_t known_states_find(const struct known_states *known, struct map_key key)
{
    if (!known->cap)
        return 0;
    for (size_t i = home_of(known, key); known->slot[i].step; i = (i + 1) & (known->cap - 1))
        if (known->slot[i].part == part_of(key) && map_key_is_same(known->key.at[known->slot[i].step], key))
            return known->slot[i].step;
    return 0;
}

static void fill_slot(struct known_states *known, uint32_t step)
{
    struct map_key key = known->key.at[step];
    size_t i = home_of(known, key);

    while (known->slot[i].step)
        i = (i + 1) & (known->cap - 1);
    known->slot[i] = (struct known_slot){step, part_of(key)};
}

/* All are put in anew, from their keys: what was there before need not be kept meanwhile. */
static void grow_table(struct known_states *known)
{
    free(known->slot);
    known->cap = known->cap ? 2 * known->cap : LEAST;
    known->slot = xcalloc(known->cap, sizeof *known->slot);
    for (uint32_t step = 1; step < known->key.n; step++) {
        bulk_pass();
        fill_slot(known, step);
    }
}

void known_states_add(struct known_states *known, struct map_key key, uint32_t step)
{
    if (!known->key.n)
        bulk_push(&known->key, (struct map_key){0});
    if (step != known->key.n)
        BUG("step %u is added behind step %zu", step, known->key.n - 1);
    if (step >= known->cap / 4 * 3)
        grow_table(known);
    bulk_push(&known->key, key);
    fill_slot(known, step);
}

void known_states_release(struct known_states *known)
{
    bulk_release(&known->key);
    free(known->slot);
    *known = (struct known_states){0};
}
