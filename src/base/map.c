#include "base/map.h"

#include <stdlib.h>

#include "base/mem.h"

enum { LEAST = 16 };

static size_t home_slot(const struct map *map, struct map_key key)
{
    unsigned __int128 product = (unsigned __int128)(key.low ^ 0x9e3779b97f4a7c15) * (key.high ^ 0xd6e8feb86659fd93);
    uint64_t hash = (uint64_t)product ^ (uint64_t)(product >> 64);

    return (hash ^ hash >> 32) & (map->cap - 1);
}

static bool same_key(struct map_key a, struct map_key b)
{
    return a.low == b.low && a.high == b.high;
}

/* The slot of the key, or the free one where it belongs. */
static struct map_slot *seek_slot(const struct map *map, struct map_key key)
{
    size_t i = home_slot(map, key);

    while (map->slot[i].full && !same_key(map->slot[i].key, key))
        i = (i + 1) & (map->cap - 1);
    return &map->slot[i];
}

static void resize_map(struct map *map, size_t cap)
{
    struct map old = *map;

    map->cap = cap;
    map->slot = xcalloc(cap, sizeof *map->slot);
    for (size_t i = 0; i < old.cap; i++)
        if (old.slot[i].full)
            *seek_slot(map, old.slot[i].key) = old.slot[i];
    free(old.slot);
}

bool map_get(const struct map *map, struct map_key key, uint32_t *value)
{
    const struct map_slot *slot;

    if (!map->n)
        return false;
    slot = seek_slot(map, key);
    if (slot->full)
        *value = slot->value;
    return slot->full;
}

uint32_t map_find(const struct map *map, struct map_key key, uint32_t otherwise)
{
    map_get(map, key, &otherwise);
    return otherwise;
}

void map_put(struct map *map, struct map_key key, uint32_t value)
{
    struct map_slot *slot;

    if (map->n >= map->cap / 2)
        resize_map(map, map->cap ? 2 * map->cap : LEAST);
    slot = seek_slot(map, key);
    map->n += !slot->full;
    *slot = (struct map_slot){key, value, true};
}

bool map_remove(struct map *map, struct map_key key)
{
    size_t hole, i, mask = map->cap - 1;

    if (!map->n || !seek_slot(map, key)->full)
        return false;
    hole = (size_t)(seek_slot(map, key) - map->slot);
    /* Close the gap: whoever probed past the hole to get where it is moves into it. */
    for (i = (hole + 1) & mask; map->slot[i].full; i = (i + 1) & mask) {
        size_t wanted = home_slot(map, map->slot[i].key);

        if (((i - wanted) & mask) >= ((i - hole) & mask)) {
            map->slot[hole] = map->slot[i];
            hole = i;
        }
    }
    map->slot[hole].full = false;
    map->n--;
    if (map->cap > LEAST && map->n < map->cap / 8)
        resize_map(map, map->cap / 2);
    return true;
}

void map_copy(struct map *to, const struct map *from)
{
    *to = *from;
    to->slot = from->cap ? xmemdup(from->slot, from->cap, sizeof *from->slot) : NULL;
}

void map_assign(struct map *to, const struct map *from)
{
    to->slot = array_assign(to->slot, &to->cap, from->slot, from->cap, sizeof *from->slot);
    to->n = from->n;
    to->cap = from->cap;
}

void map_release(struct map *map)
{
    free(map->slot);
    *map = (struct map){0};
}
