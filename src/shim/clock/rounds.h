/*
 * rounds -- a rank that polls here, then there, and round and round (M8; explore/spin.h).
 *
 * A poll that repeats itself is one operation, however often it is told no (channel.c).  Several that take turns
 * are one operation each time, and a rank that waits so for something that never comes would write for
 * ever.  When they have gone round as often as anybody wants to see, they are written no more: the file
 * stays as it is until the rank does something else.
 */
#ifndef SHIM_CLOCK_ROUNDS_H
#define SHIM_CLOCK_ROUNDS_H

#include "shim/clock/ledger.h"

/* A poll was told no so often, and now comes another one. */
void rounds_note(uint64_t poll, uint64_t noes);

/* The rank does something else, or was told yes. */
void rounds_end(void);

#endif
