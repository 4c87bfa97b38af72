/*
 * arithmetic -- what the operators of MPI make of two numbers in a window (MPI-4.0, 6.9.2 and 12.3.4).
 *
 * The MPI library does reductions everywhere else; but what happens to a window happens in tourney, which has none.
 */
#ifndef WINDOW_ARITHMETIC_H
#define WINDOW_ARITHMETIC_H

#include <stdbool.h>
#include <stddef.h>

#include "call/window.h"

/* there = there OPERATOR brought, for each element; false: the operator is not for such elements. */
bool arithmetic_combine(unsigned operator, struct window_element, void *there, const void *brought, size_t bytes);

#endif
