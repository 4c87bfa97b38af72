/*
 * crossing -- ranks that wait for each other in collectives on different communicators.
 */
#ifndef DIAGNOSIS_CROSSING_H
#define DIAGNOSIS_CROSSING_H

#include "outcome/final_state.h"

/* Two of them, the lower first, in a deadlock; false: there are none. */
bool crossing_find(const struct final_state *, rank_t ranks[2]);

#endif
