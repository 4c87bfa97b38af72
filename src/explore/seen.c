#include "explore/seen.h"

#include "base/mem.h"

enum { LEAST = 64 };

static bool is_free_slot(struct map_key key)
{
    return key.high == 0 && key.low == 0;
}

/* The keys are hashes already. */
static struct map_key *seek_key(const struct seen *seen, struct map_key key)
{
    size_t i = key.low & (seen->cap - 1);

    while (!is_free_slot(seen->slot[i]) && (seen->slot[i].high != key.high || seen->slot[i].low != key.low))
        i = (i + 1) & (seen->cap - 1);
    return &seen->slot[i];
}

static void resize_seen(struct seen *seen, size_t cap)
{
    struct seen old = *seen;

    seen->cap = cap;
    seen->slot = xcalloc(cap, sizeof *seen->slot);
    for (size_t i = 0; i < old.cap; i++)
        if (!is_free_slot(old.slot[i]))
            *seek_key(seen, old.slot[i]) = old.slot[i];
    free(old.slot);
}

/* One key stands for two: that of a free slot is none. */
static struct map_key key_in_slot(struct map_key key)
{
    return is_free_slot(key) ? (struct map_key){0, 1} : key;
}

bool seen_has(const struct seen *seen, struct map_key key)
{
    return seen->cap && !is_free_slot(*seek_key(seen, key_in_slot(key)));
}

bool seen_add(struct seen *seen, struct map_key key)
{
    struct map_key *slot;

    key = key_in_slot(key);
    if (seen->n >= seen->cap / 4 * 3)
        resize_seen(seen, seen->cap ? 2 * seen->cap : LEAST);
    slot = seek_key(seen, key);
    if (!is_free_slot(*slot))
        return false;
    *slot = key;
    seen->n++;
    return true;
}

void seen_release(struct seen *seen)
{
    free(seen->slot);
    *seen = (struct seen){0};
}
