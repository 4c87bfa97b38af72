/*
 * race -- wildcards that took different messages, and whether that changed anything.
 *
 * What a rank can do after one message of a wildcard is the subtree of its history;
 * what counts is where in the program it calls MPI there.  If some place is reached after
 * the message of one source and never after that of another, the program behaves otherwise:
 * an order that does not matter lets the other message come later, with the same
 * calls.  The trees must be whole: after a search that visited everything.
 */
#ifndef EXPLORE_RACE_H
#define EXPLORE_RACE_H

#include "explore/explore.h"

/* One for each place of a wildcard that took messages of several sources. */
struct race {
    uint32_t recv; /* the receive or probe, for explore_op */
    bool changes;
    rank_t with, without; /* `changes`: `only` is called after the message of the first, not of the second */
    uint32_t only;        /* the operation that is called in one case only */
};
typedef void race_fn(void *, const struct race *);
void explore_races(const struct explorer *, race_fn *, void *);

#endif
