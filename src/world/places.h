/*
 * places -- numbers for ranks that are started by others (call/spawn_places.h).
 */
#ifndef WORLD_PLACES_H
#define WORLD_PLACES_H

#include "call/spawn_places.h"

/* The first number behind all that are taken; `first_ranks`: if none is. */
rank_t spawn_places_end(const spawn_places_t *, rank_t first_ranks);

/* The first number of a spawn; the next that are free, if it has none yet. */
rank_t spawn_places_take(spawn_places_t *, rank_t first_ranks, rank_t root, uint32_t spawn, uint32_t count);

/* From a segment of an earlier session: what it tells of places. */
void spawn_places_learn(spawn_places_t *, rank_t root, const struct op *birth);

#endif
