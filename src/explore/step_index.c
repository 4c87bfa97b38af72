#include "explore/step_index.h"

#include "base/bulk.h"
#include "base/mem.h"

enum { LEAST = 64 };

/* The keys are hashes already. */
static size_t home_of(const struct step_index *index, struct map_key key)
{
    return key.low & (index->cap - 1);
}

static uint32_t part_of(struct map_key key)
{
    return (uint32_t)key.high;
}

uint32_t step_index_find(const struct step_index *index, const struct map_key *by_step, struct map_key key)
{
    if (!index->cap)
        return 0;
    for (size_t i = home_of(index, key); index->slot[i].step; i = (i + 1) & (index->cap - 1))
        if (index->slot[i].part == part_of(key) && map_key_is_same(by_step[index->slot[i].step], key))
            return index->slot[i].step;
    return 0;
}

static void fill_slot(struct step_index *index, const struct map_key *by_step, uint32_t step)
{
    size_t i = home_of(index, by_step[step]);

    while (index->slot[i].step)
        i = (i + 1) & (index->cap - 1);
    index->slot[i] = (struct index_slot){step, part_of(by_step[step])};
    index->n++;
}

bool step_index_is_full(const struct step_index *index)
{
    return index->n >= index->cap / 4 * 3;
}

void step_index_widen(struct step_index *index)
{
    free(index->slot);
    index->cap = index->cap ? 2 * index->cap : LEAST;
    index->slot = xcalloc(index->cap, sizeof *index->slot);
    index->n = 0;
}

static void widen_and_keep(struct step_index *index, const struct map_key *by_step)
{
    struct step_index old = *index;

    index->slot = NULL;
    step_index_widen(index);
    for (size_t i = 0; i < old.cap; i++) {
        bulk_pass();
        if (old.slot[i].step)
            fill_slot(index, by_step, old.slot[i].step);
    }
    step_index_release(&old);
}

void step_index_add(struct step_index *index, const struct map_key *by_step, uint32_t step)
{
    if (step_index_is_full(index))
        widen_and_keep(index, by_step);
    fill_slot(index, by_step, step);
}

void step_index_release(struct step_index *index)
{
    free(index->slot);
    *index = (struct step_index){0};
}
