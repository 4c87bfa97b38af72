/*
 * map -- from 64- or 128-bit keys to numbers.
 *
 * Open addressing, linear probing, deletion without tombstones, so a map that
 * sees many short-lived keys stays as small as what it holds.  All zero is an
 * empty map.  No order.
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map_key {
    uint64_t high, low;
};

struct map_slot {
    struct map_key key;
    uint32_t value;
    bool full;
};

struct map {
    struct map_slot *slot; /* owns */
    size_t n, cap;         /* cap is 0 or a power of two */
};

static inline struct map_key map_key(uint64_t low)
{
    return (struct map_key){0, low};
}

static inline struct map_key map_key2(uint64_t high, uint64_t low)
{
    return (struct map_key){high, low};
}

static inline bool map_key_is_same(struct map_key a, struct map_key b)
{
    return a.high == b.high && a.low == b.low;
}

bool map_get(const struct map *, struct map_key, uint32_t *value);
uint32_t map_find(const struct map *, struct map_key, uint32_t otherwise);
void map_put(struct map *, struct map_key, uint32_t value); /* in place of an older value */
bool map_remove(struct map *, struct map_key);              /* false: was not there */
void map_copy(struct map *to, const struct map *from);      /* what `to` held before is not freed */
void map_assign(struct map *to, const struct map *from);    /* as vec_assign */
void map_release(struct map *);

#endif
