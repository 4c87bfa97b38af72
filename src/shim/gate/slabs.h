/*
 * slabs -- small blocks of the heap (heap.h), those of a class together.
 *
 * A slab is 32 KB for blocks of one size.  It belongs to a class as long as one of its blocks is in use.
 */
#ifndef SHIM_GATE_SLABS_H
#define SHIM_GATE_SLABS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SLAB_BYTES = 1 << 15, SLABS = 1 << 19, SLABS_LARGEST = 1 << 13 };

struct slabs;
size_t slabs_bytes(void); /* of the tables, which begin as zeros */

/* The number of a block: its slab, and its place there. */
struct slab_block {
    uint32_t slab, slot;
};

/* The class of a size up to SLABS_LARGEST, and the size of its blocks. */
uint32_t slabs_class(size_t size);
size_t slabs_class_size(uint32_t class);

/*
 * Blocks that share a page, or two of larger ones, change places by this pattern: the first is where the one is whose number
 * differs from its own in these bits.  Before anything is taken.
 */
enum { SLABS_PATTERNS = 64 };
void slabs_scatter(struct slabs *, uint32_t pattern);

/* Where a block is, in bytes behind the start of the first slab. */
uint64_t slabs_offset(const struct slabs *, struct slab_block);

/* Takes the lowest block of a class; SLABS as slab: all are in use. */
struct slab_block slabs_take(struct slabs *, uint32_t class);
void slabs_give(struct slabs *, struct slab_block);

/* How long the blocks of a slab are; 0: nobody uses it. */
size_t slabs_size_in(const struct slabs *, uint32_t slab);

/* The block that begins so many bytes behind the start of the first slab; false: none that is in use. */
bool slabs_find(const struct slabs *, uint64_t offset, struct slab_block *);

/* From now on blocks are taken from slabs behind those that are in use, also when these have room; the first of them. */
uint32_t slabs_begin_anew(struct slabs *);

#endif
