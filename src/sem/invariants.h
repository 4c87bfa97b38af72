/*
 * invariants -- what holds of every state of the semantics between two calls.
 *
 * Everything that is kept twice agrees: lists with the fields of what is on them, counters with what they count, maps
 * with what they lead to.  What match.c never searches for, a forced pair that was overlooked, is searched for here.
 * Nothing is changed; what does not hold ends in BUG().  Linear in what is there.
 */
#ifndef SEM_INVARIANTS_H
#define SEM_INVARIANTS_H

#include <stdint.h>

#include "base/invariant.h"

struct sem;

void sem_check_invariants(const struct sem *);

/* The same, but not after every step of a large state, so that a step in it costs no more than in a small one. */
void sem_check_step(const struct sem *);

/* Operations that their owners have not retired. */
uint32_t sem_unretired(const struct sem *);

#endif
