/*
 * arithmetic -- what the operators of MPI make of two numbers in a window (MPI-4.0, 6.9.2 and 12.3.4).
 *
 * The MPI library does reductions everywhere else; but what happens to a window happens in tourney, which has none, or in a rank in its place.
 */
#ifndef CALL_ARITHMETIC_H
#define CALL_ARITHMETIC_H

#include <stdbool.h>
#include <stddef.h>

#include "call/window.h"

/* there = there OPERATOR brought, for each element; false: the operator is not for such elements. */
bool arithmetic_combine(unsigned operator, struct window_element, void *there, const void *brought, size_t bytes);

/*
 * What is there after an access of the accumulate family, with its data: `there` are the access->extent bytes that it finds, and become what it
 * leaves.  False: nothing changes.  Whoever calls it knows that the access is sound.
 */
bool arithmetic_apply(const struct window_access *, char *there, const char *data);

/* Whether it brings as many bytes as it needs. */
bool arithmetic_is_whole(const struct window_access *);

#endif
