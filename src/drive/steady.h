/*
 * steady -- whether ranks do the same again: how often that is tried.
 *
 * The search takes a rank for a function of its history.  Where chance decides what it does (random numbers, a
 * clock, memory that was never written) that is wrong, and need not show: a history is run once if its process is
 * still there.  So when a rank has come to its end, it goes the same path again, some times from its
 * first call and some from main().  Of what chance decides evenly, one try shows half.
 */
#ifndef DRIVE_STEADY_H
#define DRIVE_STEADY_H

#include <stdbool.h>
#include <stdint.h>

#include "call/op.h"

struct steady {
    int ranks;
    uint32_t *ends;       /* owns; by rank: paths to its end so far */
    int64_t begun, spent; /* microseconds */
};

/* How often a path is gone again. */
struct steady_tries {
    int starts; /* from main(): all of them, so that what they show does not depend on how busy the machine is */
    int copies; /* from the first call: one, and more as long as steady_spent allows */
};

void steady_init(struct steady *, int ranks);
void steady_release(struct steady *);

/* How often the first path of a rank is gone again from main(), `starts` below. */
int steady_starts(const struct steady *, rank_t);
/* Another path of this rank to its end was found. */
struct steady_tries steady_tries(struct steady *, rank_t);
/* Tries took so long; false: that is enough. */
bool steady_spent(struct steady *, int64_t microseconds);

#endif
