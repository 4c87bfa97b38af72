/*
 * heap_layout -- where a rank has its memory: other ranks have theirs elsewhere, and in another order.
 *
 * It follows from a seed and the rank alone, so it is the same in every run.  Of two blocks that lie together, the one that is
 * lower in an even rank is higher in the next one: so who goes by the order of addresses does not do so alike.
 */
#ifndef CALL_HEAP_LAYOUT_H
#define CALL_HEAP_LAYOUT_H

#include <stdint.h>
#include <stdio.h>

#include "call/chance.h"

struct heap_layout {
    uint32_t pattern; /* by which small blocks change places (shim/gate/slabs.h) */
    uint32_t pages;   /* that are left out before large ones */
    uint32_t stack;   /* bytes by which the stack begins lower */
};

/* Seed 0: all ranks have the one of rank 0, which is the plain one. */
static inline struct heap_layout heap_layout_of(uint64_t seed, int rank)
{
    enum { PATTERN = 63, PAGES = 255, GRAIN = 16, STACK = 63 };
    uint64_t even = chance_number(seed * 8192 + (uint64_t)rank / 2), own = chance_number(seed * 8192 + 4096 + (uint64_t)rank);
    if (seed == 0 || rank == 0)
        return (struct heap_layout){0};
    uint32_t pattern = rank < 2 ? 0 : (uint32_t)even & PATTERN;
    return (struct heap_layout){rank % 2 ? pattern ^ PATTERN : pattern, 1 + ((uint32_t)own & PAGES),
                                GRAIN * ((uint32_t)(own >> 32) & STACK)};
}

/* As the environment has it. */
static inline struct heap_layout heap_layout_read(const char *text)
{
    struct heap_layout layout = {0};
    if (sscanf(text, "%u:%u", &layout.pattern, &layout.pages) != 2)
        layout = (struct heap_layout){0};
    return layout;
}

#endif
