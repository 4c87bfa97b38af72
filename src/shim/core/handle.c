#include "shim/core/handle.h"

#include <stdlib.h>

#include "shim/shim.h"

static size_t home_of_handle(const struct handle_map *map, uint64_t key)
{
    return (key * UINT64_C(0x9e3779b97f4a7c15)) >> 32 & (map->room - 1);
}

static struct handle_slot *find_handle(const struct handle_map *map, uint64_t key)
{
    size_t i = home_of_handle(map, key);
    while (map->slot[i].value && map->slot[i].key != key)
        i = (i + 1) & (map->room - 1);
    return &map->slot[i];
}

void *handle_map_get(const struct handle_map *map, uint64_t key)
{
    return map->room ? find_handle(map, key)->value : NULL;
}

static void grow_handle_map(struct handle_map *map)
{
    struct handle_map old = *map;
    map->room = old.room ? 2 * old.room : 64;
    map->slot = shim_alloc(map->room * sizeof *map->slot);
    for (size_t i = 0; i < map->room; i++)
        map->slot[i].value = NULL;
    for (size_t i = 0; i < old.room; i++)
        if (old.slot[i].value)
            *find_handle(map, old.slot[i].key) = old.slot[i];
    free(old.slot);
}

void handle_map_put(struct handle_map *map, uint64_t key, void *value)
{
    if (2 * (map->used + 1) > map->room)
        grow_handle_map(map);
    struct handle_slot *slot = find_handle(map, key);
    map->used += slot->value == NULL;
    *slot = (struct handle_slot){key, value};
}

/* Closes the gap, so that no marks of the removed are left behind. */
void handle_map_remove(struct handle_map *map, uint64_t key)
{
    if (!map->room || !find_handle(map, key)->value)
        return;
    size_t mask = map->room - 1, gap = find_handle(map, key) - map->slot;
    for (size_t i = (gap + 1) & mask; map->slot[i].value; i = (i + 1) & mask) {
        if (((i - home_of_handle(map, map->slot[i].key)) & mask) >= ((i - gap) & mask)) {
            map->slot[gap] = map->slot[i];
            gap = i;
        }
    }
    map->slot[gap] = (struct handle_slot){0};
    map->used--;
}
