/*
 * shared_pool -- objects named by index, as in a pool, of which copies share what they have in common.
 *
 * The objects lie in pieces.  A copy holds the same pieces, and whoever is about to change an object in a piece that others
 * hold makes one of its own first.  So a copy takes a pointer for each piece, and in the end what differs.
 *
 * All functions are given the size of an object, always the same.  It begins with a `uint32_t next`, which belongs to the pool while the
 * object is free and to the user while it is taken.  Index 0 is never given out: it says "none".  All zero is an empty pool.
 *
 * A pointer by which an object may be changed is good until the pool is copied; one that was only looked at, until something is changed.
 */
#ifndef BASE_SHARED_POOL_H
#define BASE_SHARED_POOL_H

#include <stdint.h>

#include "base/mem.h"

enum { SHARED_PIECE = 8 }; /* objects in a piece */

struct shared_piece {
    uint64_t holds; /* by so many pools */
    char at[];
};

struct shared_pool {
    VEC(struct shared_piece *) piece; /* owns a hold of each */
    uint32_t n, free, used;
};

/* For shared_pool_change: the pool gets a piece of its own. */
void shared_pool_own(struct shared_pool *, uint32_t piece, size_t size);

static inline const void *shared_pool_at(const struct shared_pool *pool, uint32_t i, size_t size)
{
    return pool->piece.at[i / SHARED_PIECE]->at + i % SHARED_PIECE * size;
}

static inline void *shared_pool_change(struct shared_pool *pool, uint32_t i, size_t size)
{
    if (pool->piece.at[i / SHARED_PIECE]->holds > 1)
        shared_pool_own(pool, i / SHARED_PIECE, size);
    return pool->piece.at[i / SHARED_PIECE]->at + i % SHARED_PIECE * size;
}

/* The index of an object, all zero. */
uint32_t shared_pool_take(struct shared_pool *, size_t size);
void shared_pool_give(struct shared_pool *, uint32_t, size_t size);

/* `to` is all zero, or lets go of what it held. */
void shared_pool_assign(struct shared_pool *to, const struct shared_pool *from);
void shared_pool_clear(struct shared_pool *);
void shared_pool_release(struct shared_pool *);

#endif
