/*
 * seen -- a set of 128-bit keys.  All zero is empty; 16 bytes a place, at most
 * three quarters of them full.
 */
#ifndef EXPLORE_SEEN_H
#define EXPLORE_SEEN_H

#include "base/map.h"

struct seen {
    struct map_key *slot; /* owns; {0, 0}: free */
    size_t n, cap;
};

bool seen_add(struct seen *, struct map_key); /* false: was there already */
bool seen_has(const struct seen *, struct map_key);
void seen_release(struct seen *);

#endif
