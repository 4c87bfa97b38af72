/*
 * target_place -- which bytes of a window, or of a file, an access is about: displacement, count and datatype as pieces.
 */
#ifndef SHIM_OBJECTS_TARGET_PLACE_H
#define SHIM_OBJECTS_TARGET_PLACE_H

#include "call/window.h"
#include "shim/objects/type.h"

/*
 * In the order of the data.  `low` and `high` are displacements in bytes, which may be outside of the window, even
 * negative.
 */
struct target_place {
    struct window_piece *piece; /* owned */
    size_t room;
    uint32_t pieces;
    uint64_t bytes;
    int64_t low, high;
};

/* Where the bytes of one element of a datatype lie, in their order. */
struct byte_run {
    int64_t at;
    uint64_t bytes;
};
struct element_place {
    struct byte_run *run; /* owned */
    size_t runs, room;
};
struct element_place element_place_of(const struct type *);

/* Adds bytes that follow those before in the data. */
void target_place_add(struct target_place *, int64_t at, uint64_t bytes);

struct target_place target_place_of(int64_t at, MPI_Count count, const struct type *);
void target_place_release(struct target_place *);

#endif
