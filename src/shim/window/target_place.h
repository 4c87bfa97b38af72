/*
 * target_place -- which bytes of a window an access is about: displacement, count and datatype as pieces.
 */
#ifndef SHIM_WINDOW_TARGET_PLACE_H
#define SHIM_WINDOW_TARGET_PLACE_H

#include "shim/objects/type.h"
#include "shim/window/window.h"

/*
 * In the order of the data.  `low` and `high` are displacements in bytes, which may be outside of the window, even
 * negative.
 */
struct target_place {
    struct window_piece *piece; /* owned */
    uint32_t pieces;
    uint64_t bytes;
    int64_t low, high;
};

struct target_place target_place_of(int64_t at, MPI_Count count, const struct type *);
void target_place_release(struct target_place *);

#endif
