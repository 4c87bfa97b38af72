/*
 * known_states -- which states were visited: from their keys to the steps by which they were first reached.
 *
 * A search may come to millions of states, and asks at each whether it is known.  So what is in memory is small, 8 bytes a
 * place, at most three quarters of them full: a number, and a part of the key that tells nearly all others apart.  The
 * keys themselves lie on disk (base/bulk.h), in the order of the steps.  All zero is empty.
 */
#ifndef EXPLORE_KNOWN_STATES_H
#define EXPLORE_KNOWN_STATES_H

#include "base/map.h"
#include "base/mem.h"

struct known_slot {
    uint32_t step; /* 0: free */
    uint32_t part; /* of the key */
};

struct known_states {
    VEC(struct map_key) key; /* by step; that of step 0 means nothing */
    struct known_slot *slot; /* owns */
    size_t cap;              /* 0, or a power of two */
};

/* The step that was added with this key; 0: none. */
uint32_t known_states_find(const struct known_states *, struct map_key);

/* The key must be new.  Steps are added one after the other, from 1. */
void known_states_add(struct known_states *, struct map_key, uint32_t step);

void known_states_release(struct known_states *);

#endif
