#include "explore/seen.h"

#include "base/mem.h"

enum { LEAST = 64 };

static bool is_free(struct map_key key)
{
    return key.high == 0 && key.low == 0;
}

/* The keys are hashes already. */
static struct map_key *seek(const struct seen *seen, struct map_key key)
{
    size_t i = key.low & (seen->cap - 1);

    while (!is_free(seen->slot[i]) && (seen->slot[i].high != key.high || seen->slot[i].low != key.low))
        i = (i + 1) & (seen->cap - 1);
    return &seen->slot[i];
}

static void resize(struct seen *seen, size_t cap)
{
    struct seen old = *seen;

    seen->cap = cap;
    seen->slot = xcalloc(cap, sizeof *seen->slot);
    for (size_t i = 0; i < old.cap; i++)
        if (!is_free(old.slot[i]))
            *seek(seen, old.slot[i]) = old.slot[i];
    free(old.slot);
}

bool seen_add(struct seen *seen, struct map_key key)
{
    struct map_key *slot;

    if (is_free(key))
        key.low = 1;
    if (seen->n >= seen->cap / 4 * 3)
        resize(seen, seen->cap ? 2 * seen->cap : LEAST);
    slot = seek(seen, key);
    if (!is_free(*slot))
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
