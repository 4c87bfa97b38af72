/*
 * type -- datatypes belong to the real library; this knows what they look like.
 */
#ifndef SHIM_OBJECTS_TYPE_H
#define SHIM_OBJECTS_TYPE_H

#include "shim/objects/layout.h"
#include "shim/objects/reduction_pair.h"
#include "shim/shim.h"

struct type {
    MPI_Datatype handle;
    uint32_t number;     /* as announced by OP_TYPE */
    uint64_t signature;  /* likewise */
    bool builtin;
    enum reduction_group group;
    bool contiguous;     /* packed form and memory are the same bytes */
    MPI_Count size;      /* of one, packed */
    MPI_Aint extent, true_lb, true_extent;
};

/*
 * What is known of a datatype, NULL if it is none.  Borrowed until the next call,
 * or as long as the datatype is held.
 * Posts OP_TYPE at first sight: not between channel_begin and channel_commit.
 */
const struct type *type_find(MPI_Datatype);

bool type_is_committed(const struct type *);

/* Where its entries lie; borrowed like the type. */
const struct layout *type_layout(const struct type *);

/* Whether so many elements have entries that overlap, for certain. */
bool type_overlaps_itself(const struct type *, MPI_Count count);

/* MPI_Type_get_contents has handed these out. */
void type_shared(MPI_Datatype outer, const MPI_Datatype inner[]);

/* The library has returned these, which the program may have already. */
void type_given(int n, const MPI_Datatype types[]);

/* Keeps a datatype usable by a pending operation after the user frees it. */
MPI_Datatype type_hold(MPI_Datatype);
void type_drop(MPI_Datatype);

static inline uint64_t type_bytes(const struct type *t, MPI_Count count)
{
    return (uint64_t)t->size * (uint64_t)count;
}

/* The address of the element `index` extents further. */
static inline void *type_at(const void *buf, MPI_Aint index, const struct type *t)
{
    return (char *)buf + index * t->extent;
}

/* Whether two buffers share memory for certain: of types with gaps, only if they are alike. */
bool type_overlap(const void *a, MPI_Count a_count, const struct type *a_type, const void *b, MPI_Count b_count,
                  const struct type *b_type);

/* A null pointer that can be no MPI_BOTTOM: the datatype does not say where the elements are. */
bool type_is_nowhere(const struct type *, const void *buf, MPI_Count count);

void type_pack(const void *buf, MPI_Count count, const struct type *, void *to);

/* `bytes` may be fewer than `count` elements have (then only those are written), never more. */
void type_unpack(const void *from, uint64_t bytes, void *buf, MPI_Count count, const struct type *);

#endif
