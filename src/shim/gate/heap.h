/*
 * heap -- memory for malloc whose whole state is a function of the blocks that are in use.
 *
 * In a search two histories of a rank are one if its memory is the same (world/image.h).  The C library's heap remembers
 * in which order blocks were freed, so that a program which has freed the same blocks in two orders is never the same
 * again.  Here it is:
 * - A block is put at the lowest address at which there is room for its size; small ones at first beside others of
 *   about their size.  In which order small ones lie in a page, and where pages begin, is each rank's own (struct heap_layout).
 * - What is known of blocks is kept in tables by address; nothing is in the order in which things happened.
 * - Memory that is free is zero.
 *
 * Small blocks are in slabs (slabs.h), others in pages of their own (extents.h).  What does not fit in, and what
 * was allocated before the heap was opened, is the C library's.
 */
#ifndef SHIM_GATE_HEAP_H
#define SHIM_GATE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "call/heap_layout.h"

/* Its addresses, for the shim; all 0: there is no heap. */
struct gate_heap {
    uintptr_t start, end;
    uintptr_t fresh; /* what is allocated from here on is on pages that were nobody's before */
};

/* From now on what is allocated is not on pages with what was allocated before. */
struct gate_heap tourney_heap_begin_anew(void);

/* Reserves its addresses; from then on there is a heap.  False: they are not to be had.  `sites` are to be noted. */
bool heap_open(bool sites, struct heap_layout);

/* Who has asked for a block (call/heap_map.h); NULL and 0: it is nobody's any more. */
void heap_note_site(const void *block, const void *caller, size_t size);

/* NULL: there is no heap, or no room in it.  Alignments are powers of two. */
void *heap_take(size_t size, size_t alignment);

/* Whether an address is in the heap. */
bool heap_holds(const void *);

/* How many bytes a block that begins here has room for; 0: no block in use begins here. */
size_t heap_room(const void *);

/* Ends the process if that is no block in use. */
void heap_give(void *);

/* For the shim: memory that was freed is made zero later; or now, what is left. */
bool tourney_heap_defer(void *, size_t);
void tourney_heap_settle(void);

/* Makes a block longer, or shorter, where it is; false: it has to move. */
bool heap_fit(void *, size_t size);

#endif
