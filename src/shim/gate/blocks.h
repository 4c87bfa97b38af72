/*
 * blocks -- which blocks of memory the program has from malloc, and how large it asked them to be.
 *
 * Blocks begin at multiples of 16 and are at least 32 bytes apart, so a byte for each 16 bytes of memory is
 * room for their sizes (shadow memory).  What it holds depends on the blocks that are in use and on nothing else, so
 * ranks with the same memory stay the same.  Where they are is decided in heap.h or by the C library.  Of another allocator than the C library's nothing is known.
 */
#ifndef SHIM_GATE_BLOCKS_H
#define SHIM_GATE_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gate_block {
    uintptr_t start;
    size_t size;
};

/* The block in which an address is, or which begins there; false: none that is known. */
bool tourney_block_find(uintptr_t address, struct gate_block *);

/* Whether just this block is still in use. */
bool tourney_block_is(const struct gate_block *);

/* Whether that cannot be wrong: it is in the heap, of which nothing is freed behind our back. */
bool tourney_block_is_certain(const struct gate_block *);

/* As malloc and realloc, of memory that is the shim's and not known here. */
void *tourney_own_memory(void *old, size_t);

#endif
