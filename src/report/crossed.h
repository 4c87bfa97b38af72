/*
 * crossed -- ranks that wait for each other in collectives on different communicators.
 */
#ifndef REPORT_CROSSED_H
#define REPORT_CROSSED_H

#include "outcome/final_state.h"

/* Two of them, the lower first, in a deadlock; false: there are none. */
bool crossed_find(const struct final_state *, rank_t ranks[2]);

#endif
