#include "window/lock.h"

#include "base/die.h"
#include "base/hash.h"

void window_lock_init(struct window_lock *lock)
{
    *lock = (struct window_lock){.exclusive = RANK_NONE};
}

void window_lock_copy(struct window_lock *to, const struct window_lock *from)
{
    to->exclusive = from->exclusive;
    vec_copy(&to->sharing, &from->sharing);
}

void window_lock_release(struct window_lock *lock)
{
    vec_release(&lock->sharing);
}

struct keeper_wait window_lock_waits_for(const struct window_lock *lock)
{
    if (lock->exclusive != RANK_NONE)
        return (struct keeper_wait){lock->exclusive, WINDOW_GIVES_BACK};
    return (struct keeper_wait){RANK_ANY, lock->sharing.n ? WINDOW_SHARED : TAG_ANY};
}

static void share_lock(struct window_lock *lock, rank_t rank)
{
    vec_push(&lock->sharing, rank);
    for (size_t i = lock->sharing.n - 1; i > 0 && lock->sharing.at[i - 1] > rank; i--) {
        lock->sharing.at[i] = lock->sharing.at[i - 1];
        lock->sharing.at[i - 1] = rank;
    }
}

static void release_lock(struct window_lock *lock, rank_t rank)
{
    size_t kept = 0;
    if (lock->exclusive == rank) {
        lock->exclusive = RANK_NONE;
        return;
    }
    for (size_t i = 0; i < lock->sharing.n; i++)
        if (lock->sharing.at[i] != rank)
            lock->sharing.at[kept++] = lock->sharing.at[i];
    if (kept + 1 != lock->sharing.n)
        BUG("rank %d releases a lock that it does not have once", rank);
    lock->sharing.n = kept;
}

void window_lock_take(struct window_lock *lock, rank_t from, int tag, const void *message, size_t bytes)
{
    const struct window_lock_message *wish = message;
    if (tag == WINDOW_EXCLUSIVE)
        lock->exclusive = from;
    else if (bytes == sizeof *wish && wish->kind == WINDOW_LOCK_SHARED)
        share_lock(lock, from);
    else if (bytes == sizeof *wish && wish->kind == WINDOW_RELEASE)
        release_lock(lock, from);
    else
        BUG("rank %d wants something of a lock that locks do not do (%zu bytes, tag %d)", from, bytes, tag);
}

void window_lock_stir(const struct window_lock *lock, struct map_key *sum)
{
    hash_stir(sum, (uint64_t)lock->exclusive);
    for (size_t i = 0; i < lock->sharing.n; i++)
        hash_stir(sum, (uint64_t)lock->sharing.at[i]);
}
