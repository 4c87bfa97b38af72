/*
 * extents -- runs of pages of the heap (heap.h): the first one that is long enough, in logarithmic time.
 *
 * A tree, sixteen branches to a knot, has for each stretch of pages how many at its start, at its end and at most in a row
 * are free.
 */
#ifndef SHIM_GATE_EXTENTS_H
#define SHIM_GATE_EXTENTS_H

#include <stddef.h>
#include <stdint.h>

enum { EXTENT_PAGE = 4096, EXTENT_PAGES = 1 << 24 };

struct extents;
size_t extents_bytes(void); /* of the tables, which begin as zeros */

/* The first of so many pages, which begin at a multiple of `alignment` pages; EXTENT_PAGES: there are not so many. */
uint32_t extents_take(struct extents *, uint32_t pages, uint32_t alignment);
void extents_give(struct extents *, uint32_t first);

/* How many pages the extent has that begins here; 0: none does. */
uint32_t extents_length(const struct extents *, uint32_t first);

/* Makes one longer or shorter where it is; -1: what is behind it is taken. */
int extents_fit(struct extents *, uint32_t first, uint32_t pages);

#endif
