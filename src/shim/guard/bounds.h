/*
 * bounds -- whether a buffer stays within the memory that it begins in.
 *
 * Told only where it is certain: what the memory is must be known, and a datatype whose displacements are in
 * bytes may well go from one variable to another ("Correct Use of Addresses").
 */
#ifndef SHIM_GUARD_BOUNDS_H
#define SHIM_GUARD_BOUNDS_H

#include "shim/objects/type.h"

/* Memory, from its first byte to behind its last. */
struct memory_span {
    uintptr_t start, end;
};

/* All that `count` elements touch, with their gaps; empty: nothing. */
struct memory_span bounds_span(const void *buf, MPI_Count count, const struct type *);

/* Complains if these elements, or `all` that belongs to them, go beyond the memory that the first of them begins in. */
void bounds_check(const void *buf, MPI_Count count, const struct type *, struct memory_span all, bool filled);

#endif
