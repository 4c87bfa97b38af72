/*
 * pieces -- a set of bytes of a window, as ranges.
 */
#ifndef WINDOW_PIECES_H
#define WINDOW_PIECES_H

#include <stdint.h>

#include "base/mem.h"
#include "call/window.h"

/* By rising address, with gaps between; all zero is empty. */
struct pieces {
    VEC(struct window_piece) piece;
};

void pieces_add(struct pieces *, uint64_t at, uint64_t bytes);
void pieces_remove(struct pieces *, uint64_t at, uint64_t bytes);

#endif
