/*
 * near_misses -- messages and receives that would have met but for one thing.
 *
 * Where a rank is stuck in a receive or probe, that is a message that is there and
 * fits but for its tag, its communicator or its source (M1); where it is stuck in a
 * send, a receive that is posted at the destination, likewise.
 */
#ifndef DIAGNOSIS_NEAR_MISSES_H
#define DIAGNOSIS_NEAR_MISSES_H

#include "outcome/final_state.h"
#include "result/result.h"

/* Those of one stuck rank, the first few; borrowed for the call. */
void near_misses_tell(const struct final_state *, rank_t, void (*tell)(void *, const struct near_miss *), void *);

#endif
