/*
 * pool -- objects named by index.
 *
 * POOL(type) declares a growable array whose elements are taken and given back
 * in O(1).  The type needs a field `uint32_t next`, which belongs to the pool
 * while the element is free and to the user while it is taken.  Index 0 is never
 * given out: it says "none".  All zero is an empty pool.  Taking may move the
 * elements: keep indexes, not pointers.
 */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <stdint.h>
#include <string.h>

#include "base/die.h"
#include "base/mem.h"

#define POOL(type)                                                                                                     \
    struct {                                                                                                           \
        type *at;                                                                                                      \
        size_t n, cap;                                                                                                 \
        uint32_t free, used;                                                                                           \
    }

/* The index of an element, all zero. */
#define pool_take(pool)                                                                                                \
    ({                                                                                                                 \
        uint32_t taken_ = (pool)->free;                                                                                \
        if (taken_) {                                                                                                  \
            (pool)->free = (pool)->at[taken_].next;                                                                    \
        } else {                                                                                                       \
            vec_reserve(pool, 2);                                                                                      \
            (pool)->n += (pool)->n == 0;                                                                               \
            if ((pool)->n >= UINT32_MAX)                                                                               \
                die("more than 2^32 objects of one kind");                                                             \
            taken_ = (uint32_t)(pool)->n++;                                                                            \
        }                                                                                                              \
        memset(&(pool)->at[taken_], 0, sizeof *(pool)->at);                                                            \
        (pool)->used++;                                                                                                \
        taken_;                                                                                                        \
    })

#define pool_give(pool, index)                                                                                         \
    ((pool)->at[index].next = (pool)->free, (pool)->free = (index), (void)(pool)->used--)

/* As vec_assign. */
#define pool_assign(to, from) (vec_assign(to, from), (to)->free = (from)->free, (void)((to)->used = (from)->used))
#define pool_release(pool) (vec_release(pool), (void)((pool)->free = (pool)->used = 0))

#endif
