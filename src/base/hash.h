/*
 * hash -- sums of 128 bits, wide enough that no two of 2^40 things are ever taken
 * for one; and of 64 bits, for many bytes.  Not against somebody who tries.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include "base/map.h"

#define HASH_START ((struct map_key){0x243f6a8885a308d3, 0x13198a2e03707344})

/* The next of several values, in order: two halves that mix differently. */
static inline void hash_stir(struct map_key *sum, uint64_t value)
{
    sum->high = (sum->high ^ value) * 0x9e3779b97f4a7c15;
    sum->high ^= sum->high >> 29;
    sum->low = (sum->low + value) * 0xd6e8feb86659fd93;
    sum->low ^= sum->low >> 32;
}

static inline void hash_stir_key(struct map_key *sum, struct map_key key)
{
    hash_stir(sum, key.high);
    hash_stir(sum, key.low);
}

/* One of several in any order. */
static inline void hash_add(struct map_key *sum, struct map_key part)
{
    hash_stir(&part, 0x452821e638d01377); /* sums of sums must not cancel out */
    sum->high += part.high;
    sum->low += part.low;
}

/*
 * 64 bits for many bytes; `sum` continues an earlier one, or is any number to begin
 * with.  Each step is a bijection: data that differ in one word alone never have the
 * same sum.
 */
uint64_t hash_bytes(uint64_t sum, const void *, size_t);

#endif
