/*
 * known_states -- which states were visited: from their keys to the steps by which they were first reached.
 *
 * A search asks at each state whether it is known, which most are not: of these only the index is looked at, not the keys, which lie on disk.  All zero is empty.
 */
#ifndef EXPLORE_KNOWN_STATES_H
#define EXPLORE_KNOWN_STATES_H

#include "base/mem.h"
#include "explore/step_index.h"

struct known_states {
    VEC(struct map_key) key; /* by step; that of step 0 means nothing */
    struct step_index index;
};

/* The step that was added with this key; 0: none. */
uint32_t known_states_find(const struct known_states *, struct map_key);

/* The key must be new.  Steps are added one after the other, from 1. */
void known_states_add(struct known_states *, struct map_key, uint32_t step);

void known_states_release(struct known_states *);

#endif
