/*
 * leaps -- polls that say no many times in a row, as one answer.
 *
 * A rank that polls while nothing else can happen is told no, again and again, perhaps millions of times.  To the search each of these
 * is a decision, with a node of its own and a process that is woken for it.  A run that is made ahead (scout.c) leaps: a no leaves
 * some more noes to the rank, which it says by itself, to polls that were told no before, until it has said so many or does something
 * else; and it tells how many these were.  That number is part of the answer and of the decision: given the same, the rank does the
 * same, whatever it counts, and whatever its clock says.
 *
 * The law: none of the noes within a leap was to be decided.  A poll is one of those that may be answered so if it was told no since
 * the last no that left nothing; and one that leaves nothing comes first, for each rank, whenever anything has happened but
 * noes and polls.  So the rank asks for nothing within its leap that could not have been told before it, and since it runs alone
 * and posts nothing, none of this can come to be there meanwhile.  (A run that has departed elsewhere may come to a leap of another one.  A poll may
 * say no at any time, so that is a run, too.)
 *
 * A node has one leap at most, and it is no node of the search, which goes from no to no, or takes rounds of polls for one wait.  It only leaps to see
 * whether ranks that it would call stuck give up after all (spin.h).
 */
#ifndef EXPLORE_LEAPS_H
#define EXPLORE_LEAPS_H

#include "explore/tree.h"

struct leaps {
    bool on;       /* the poll that says no next leaps; */
    uint32_t noes; /* if no leap is known there, with so many noes at most, as in struct ret */
};

/* `noes` of the answer to a poll that is told no.  Of a leap that was made before only that it is one matters, and what was asked for last may be none. */
static inline uint32_t leaps_noes(const struct leaps *leaps, const struct tree *tree)
{
    return !leaps->on || !tree->runner.leaps ? 0 : leaps->noes ? leaps->noes : 1;
}

#endif
