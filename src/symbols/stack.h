/*
 * stack -- the calls in which a rank crashed or hangs.
 */
#ifndef SYMBOLS_STACK_H
#define SYMBOLS_STACK_H

#include "symbols/symbol.h"

/*
 * From the program's point of view: from its innermost function to its outermost,
 * without what the C library does before and after; and of tourney's own code only
 * the MPI call it stood for.  A frame is either a place or, with a name in `call`,
 * such an MPI call.
 */
void stack_tell(struct symbols *, pid_t, size_t n, const uint64_t *address,
                void (*tell)(void *, const struct trace_place *, const char *call), void *);

/* Whether assert() is on it. */
bool stack_asserts(struct symbols *, pid_t, size_t n, const uint64_t *address);

#endif
