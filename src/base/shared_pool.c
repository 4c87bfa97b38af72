#include "base/shared_pool.h"

#include <string.h>

#include "base/die.h"

static void let_piece_go(struct shared_piece *piece)
{
    if (!--piece->holds)
        free(piece);
}

void shared_pool_own(struct shared_pool *pool, uint32_t i, size_t size)
{
    struct shared_piece *shared = pool->piece.at[i], *own = xmemdup(shared, 1, sizeof *own + SHARED_PIECE * size);

    own->holds = 1;
    pool->piece.at[i] = own;
    let_piece_go(shared);
}

static void add_piece_to(struct shared_pool *pool, size_t size)
{
    struct shared_piece *piece = xcalloc(1, sizeof *piece + SHARED_PIECE * size);

    piece->holds = 1;
    vec_push(&pool->piece, piece);
}

/* One that was never taken. */
static uint32_t new_index(struct shared_pool *pool, size_t size)
{
    uint32_t i = pool->n ? pool->n : 1;

    if (i == UINT32_MAX)
        die("more than 2^32 objects of one kind");
    if (i / SHARED_PIECE == pool->piece.n)
        add_piece_to(pool, size);
    pool->n = i + 1;
    return i;
}

uint32_t shared_pool_take(struct shared_pool *pool, size_t size)
{
    uint32_t i = pool->free ? pool->free : new_index(pool, size);
    uint32_t *object = shared_pool_change(pool, i, size);

    if (i == pool->free)
        pool->free = *object;
    memset(object, 0, size);
    pool->used++;
    return i;
}

void shared_pool_give(struct shared_pool *pool, uint32_t i, size_t size)
{
    *(uint32_t *)shared_pool_change(pool, i, size) = pool->free;
    pool->free = i;
    pool->used--;
}

void shared_pool_clear(struct shared_pool *pool)
{
    for (size_t i = 0; i < pool->piece.n; i++)
        let_piece_go(pool->piece.at[i]);
    vec_clear(&pool->piece);
    pool->n = pool->free = pool->used = 0;
}

void shared_pool_assign(struct shared_pool *to, const struct shared_pool *from)
{
    shared_pool_clear(to);
    vec_assign(&to->piece, &from->piece);
    for (size_t i = 0; i < to->piece.n; i++)
        to->piece.at[i]->holds++;
    to->n = from->n;
    to->free = from->free;
    to->used = from->used;
}

void shared_pool_release(struct shared_pool *pool)
{
    shared_pool_clear(pool);
    vec_release(&pool->piece);
}
