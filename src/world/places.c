#include "world/places.h"

static const struct spawn_place *find_spawn(const spawn_places_t *places, rank_t root, uint32_t spawn, uint32_t count)
{
    for (size_t i = 0; i < places->n; i++)
        if (places->at[i].root == root && places->at[i].spawn == spawn && places->at[i].count == count)
            return &places->at[i];
    return NULL;
}

rank_t spawn_places_end(const spawn_places_t *places, rank_t first_ranks)
{
    rank_t end = first_ranks;
    for (size_t i = 0; i < places->n; i++) {
        rank_t behind = places->at[i].first + (rank_t)places->at[i].count;
        end = behind > end ? behind : end;
    }
    return end;
}

rank_t spawn_places_take(spawn_places_t *places, rank_t first_ranks, rank_t root, uint32_t spawn, uint32_t count)
{
    const struct spawn_place *known = find_spawn(places, root, spawn, count);
    if (known)
        return known->first;
    rank_t first = spawn_places_end(places, first_ranks);
    vec_push(places, (struct spawn_place){root, spawn, count, first});
    return first;
}

/* The births of one spawn come by rising number. */
void spawn_places_learn(spawn_places_t *places, rank_t root, const struct op *birth)
{
    uint32_t count = (uint32_t)birth->count;
    if (!find_spawn(places, root, birth->type, count))
        vec_push(places, (struct spawn_place){root, birth->type, count, birth->peer});
}
