/*
 * access_conflict -- which two accesses to one byte must not be concurrent, and why.
 *
 * One table.  MPI-4.0, 12.3: two accesses conflict if one is a put, if exactly one is of the accumulate family, or if one is a get and
 * the other a local store; and what a put or an accumulate is at work on is not loaded or stored to by its owner either (12.7).  Accumulates go together if they are
 * on the same window (12.7), of the same predefined type and on the same element boundaries (12.7.1), and of the same operator or MPI_NO_OP
 * (12.2.1, accumulate_ops); those of one origin are ordered, unless accumulate_ordering gives that up (12.7.2).  Each element is atomic, not the whole call (12.3.4).
 */
#ifndef CHECK_ACCESS_CONFLICT_H
#define CHECK_ACCESS_CONFLICT_H

#include "check/window_accesses.h"

enum access_conflict {
    CONFLICT_NONE,
    CONFLICT_ORDER,     /* they have to be ordered */
    CONFLICT_WINDOWS,   /* accumulates through two windows */
    CONFLICT_TYPES,     /* accumulates of different types */
    CONFLICT_ELEMENTS,  /* accumulates at places that are not a whole number of elements apart */
    CONFLICT_OPERATORS, /* accumulates with different operators */
    CONFLICT_GIVEN_UP,  /* none, but accumulates of one rank of which the search plays one order only, though the info key accumulate_ordering gives that up */
    CONFLICT_COMMUTING, /* likewise, because they commute: only what comes between them sees which was first */
};

/* The pieces are those that overlap; the first access is the one that was called first, if both are of one rank. */
enum access_conflict access_conflict(const struct window_accesses *, const struct race_access *, struct window_piece,
                                     const struct race_access *, struct window_piece);

/* Whether the second, if it comes between the first and another one like it, may see an order of these that accumulate_ordering gives up. */
bool access_sees_given_up_order(const struct window_accesses *, const struct race_access *, const struct race_access *);

#endif
