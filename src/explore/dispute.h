/*
 * dispute -- messages and receives that can meet and do not agree (sem/agree.h).
 *
 * Looked at where a match is made, and for all that a receive could take where a
 * state is planned: so an error in a match that no run has come to is known.
 */
#ifndef EXPLORE_DISPUTE_H
#define EXPLORE_DISPUTE_H

#include "outcome/dispute.h"
#include "explore/tree.h"

struct disputes {
    VEC(struct dispute) at;
    struct map known; /* send and receive -> index */
    uint32_t step;    /* the state that is being left, or planned */
    bool planning;    /* it is planned: only then are matches looked at that could be made */
    bool deaf;        /* nothing is noted: what happens is no part of the search */
};

/* Both by their numbers in the tree; `made`: they meet now, else they could.  Quick if they agree. */
void dispute_look(struct disputes *, struct tree *, uint32_t send, uint32_t recv, bool made);
void disputes_release(struct disputes *);

#endif
