/*
 * heap_map -- where the heap of a rank is (shim/gate/heap.h), for those who look at it from outside.
 *
 * If a rank is asked to (WIRE_ENV_SITES), it keeps beside it, for each block that is in use, who has asked for it: one
 * struct heap_site for 16 bytes of the heap, at the start of the block; others are 0.
 */
#ifndef CALL_HEAP_MAP_H
#define CALL_HEAP_MAP_H

#include <stdint.h>

/*
 * Where nothing else is, whoever is started and whatever it loads.  Tables come first, so that as little as possible of
 * the kernel's own tables is needed for all of it: they are gone through at every look at a rank.
 */
#define HEAP_MAP_TABLES UINT64_C(0x200000000000)
#define HEAP_MAP_START UINT64_C(0x200010000000)
#define HEAP_MAP_SMALL (UINT64_C(1) << 34) /* bytes for small blocks, several on a page, */
#define HEAP_MAP_LARGE (UINT64_C(1) << 36) /* and then for others, which begin with a page */
#define HEAP_MAP_BYTES (HEAP_MAP_SMALL + HEAP_MAP_LARGE)
#define HEAP_MAP_SITES UINT64_C(0x300000000000)

enum { HEAP_MAP_GRAIN = 16, HEAP_MAP_PAGE = 4096, HEAP_MAP_LARGEST_SMALL = 1 << 13 };

struct heap_site {
    uint64_t caller; /* the return address of malloc or its like */
    uint64_t size;   /* as it was asked for */
};

static inline uint64_t heap_map_site(uint64_t block)
{
    return HEAP_MAP_SITES + (block - HEAP_MAP_START) / HEAP_MAP_GRAIN * sizeof(struct heap_site);
}

#endif
