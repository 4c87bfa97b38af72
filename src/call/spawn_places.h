/*
 * spawn_places -- which numbers the ranks have that are started by others.
 *
 * Runs are compared, merged and made again, so a number must not depend on who came first: it belongs to the spawn, which is
 * known by the rank that is its root, how many spawns that rank had been root of before, and how many it starts.
 * What is done with them is in world/places.h.
 */
#ifndef CALL_SPAWN_PLACES_H
#define CALL_SPAWN_PLACES_H

#include "base/mem.h"
#include "call/op.h"

struct spawn_place {
    rank_t root;
    uint32_t spawn; /* from 0 */
    uint32_t count;
    rank_t first;   /* so many numbers from here on */
};

typedef VEC(struct spawn_place) spawn_places_t;

#endif
