/*
 * layout -- where in memory the entries of a datatype lie.
 *
 * MPI allows overlapping entries in a type and forbids to receive with such a type, also if the message is too
 * short to write anything twice ("Use of General Datatypes in Communication").
 */
#ifndef SHIM_OBJECTS_LAYOUT_H
#define SHIM_OBJECTS_LAYOUT_H

#include "shim/shim.h"

/* Entries of one basic type that follow each other without gaps. */
struct layout_run {
    MPI_Aint at;    /* from the buffer address */
    uint64_t bytes;
    uint32_t basic; /* as in signatures (flatten.h) */
    uint32_t size;  /* of one entry */
};

enum { LAYOUT_RUNS = 1 << 14 };

struct layout {
    bool known;     /* it has no more than LAYOUT_RUNS runs, and the library tells all of it */
    bool by_index;  /* and all its displacements are multiples of extents */
    bool anew;      /* the next run does not continue the last: byte displacements may lead to another variable */
    uint32_t runs, room;
    struct layout_run *run; /* owned; in the order of the type */
};

struct layout layout_of(MPI_Datatype);
void layout_release(struct layout *);

/*
 * How many elements of a type with this layout and extent it takes until two entries overlap: 1 if it is so within
 * one; 0 if never, or if nobody knows.
 */
MPI_Count layout_overlaps_from(const struct layout *, MPI_Aint extent);

/* A piece of memory; sorts them, and says whether two overlap. */
struct layout_piece {
    uintptr_t start, end;
};
bool layout_pieces_overlap(struct layout_piece *, size_t n);

#endif
