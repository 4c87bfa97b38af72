/*
 * step_index -- from keys of states to steps, for keys that lie elsewhere by step.
 *
 * A search may come to millions of states.  So what is in memory is small, 8 bytes a place, at most three quarters of them full: a number, and a part of
 * the key that tells nearly all others apart.  The keys themselves lie on disk (base/bulk.h), in the order of the steps.  All zero is empty.
 */
#ifndef EXPLORE_STEP_INDEX_H
#define EXPLORE_STEP_INDEX_H

#include <stdbool.h>

#include "base/map.h"

struct index_slot {
    uint32_t step; /* 0: free */
    uint32_t part; /* of the key */
};

struct step_index {
    struct index_slot *slot; /* owns */
    size_t cap;              /* 0, or a power of two */
    size_t n;
};

/* The step that was added with this key; 0: none. */
uint32_t step_index_find(const struct step_index *, const struct map_key *by_step, struct map_key);

/* Its key must be new. */
void step_index_add(struct step_index *, const struct map_key *by_step, uint32_t step);

/*
 * For who can add all steps once more in their order, which is that of their keys on disk: whether there is no room for another; and forgets them, to have
 * twice the room.
 */
bool step_index_is_full(const struct step_index *);
void step_index_widen(struct step_index *);

void step_index_release(struct step_index *);

#endif
