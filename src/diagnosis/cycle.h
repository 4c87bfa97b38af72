/*
 * cycle -- ranks that wait for each other in a circle.
 */
#ifndef DIAGNOSIS_CYCLE_H
#define DIAGNOSIS_CYCLE_H

#include "outcome/final_state.h"

/* Circles that share no rank: each rank waits for the next, the last for the first.  Borrowed for the call. */
void cycle_tell(const struct final_state *, void (*tell)(void *, const rank_t *, int n), void *);

#endif
