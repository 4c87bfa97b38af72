#include "window/keeper.h"

#include "base/die.h"
#include "base/hash.h"
#include "window/lock.h"
#include "window/public_copy.h"

struct keeper {
    bool of_lock;
    union {
        struct window_lock lock;
        struct public_copy copy;
    };
};

struct keeper *keeper_new(bool of_lock)
{
    struct keeper *keeper = xcalloc(1, sizeof *keeper);
    keeper->of_lock = of_lock;
    if (of_lock)
        window_lock_init(&keeper->lock);
    return keeper;
}

struct keeper *keeper_copy(const struct keeper *keeper)
{
    struct keeper *copy = xmemdup(keeper, 1, sizeof *keeper);
    if (keeper->of_lock)
        window_lock_copy(&copy->lock, &keeper->lock);
    else
        public_copy_copy(&copy->copy, &keeper->copy);
    return copy;
}

void keeper_free(struct keeper *keeper)
{
    if (!keeper)
        return;
    if (keeper->of_lock)
        window_lock_release(&keeper->lock);
    else
        public_copy_release(&keeper->copy);
    free(keeper);
}

struct keeper_wait keeper_waits_for(const struct keeper *keeper)
{
    return keeper->of_lock ? window_lock_waits_for(&keeper->lock) : (struct keeper_wait){RANK_ANY, TAG_ANY};
}

void keeper_take(struct keeper *keeper, rank_t from, int tag, const void *message, size_t bytes, struct keeper_mail *mail)
{
    if (keeper->of_lock)
        window_lock_take(&keeper->lock, from, tag, message, bytes);
    else
        public_copy_take(&keeper->copy, from, tag, message, bytes, mail);
}

uint64_t keeper_changes(const struct keeper *keeper)
{
    return keeper->of_lock ? 0 : keeper->copy.changes;
}

struct map_key keeper_digest(const struct keeper *keeper)
{
    struct map_key sum = HASH_START;
    hash_stir(&sum, keeper->of_lock);
    if (keeper->of_lock)
        window_lock_stir(&keeper->lock, &sum);
    else
        public_copy_stir(&keeper->copy, &sum);
    return sum;
}
