/*
 * reduce -- where it is enough to decide one thing and leave the rest for later.
 *
 * Deciding one point alone is exact if none of its options can go away, and no
 * other option of it can come up, while it is left undecided: then every run
 * from here takes one of these options sometime, and might as well take it now.
 * None goes away (L1, L3, and calls that may return stay so).  What can come up
 * is another send that fits the receive or probe, or the completion of another
 * request in the list of the call.  For that, somebody has to move:
 *
 * - Ranks that can move while the point stays undecided: the least set such that
 *   whoever could return from its call by messages and receives that are there,
 *   or by what ranks in the set may yet bring, is in it.
 * - If one of these sends, in a history already known below where it is, a message
 *   that would be a new option, the point will not do.
 * - Else we assume that it does not, and note that.  If the tree later shows such
 *   a send, the state is expanded again.
 *
 * This is exact because whatever the others can do while the point is undecided
 * they can also do after it was decided, by any option: decisions take nothing
 * from other ranks and forbid no answer that was open.  Those runs are explored,
 * so the tree shows the send if there is one.  (Checked by
 * test/model/explore_brute.c.)
 *
 * Limits: there is no evidence about receives and collectives to come, so a list
 * with an unfinished synchronous send or collective that others may help to
 * finish is never decided alone.
 */
#ifndef EXPLORE_REDUCE_H
#define EXPLORE_REDUCE_H

#include "explore/menu.h"

/* No history below `node` is assumed to send such a message. */
struct doubt {
    node_id node;
    uint32_t mailbox;
    uint64_t tags;
};

struct reduction {
    VEC(struct doubt) doubt; /* on which the choice rests; empty: it holds in any case */
    VEC(struct doubt) draft; /* scratch */
    bool *movable;           /* by rank; owned */
};

/* The point to decide alone, or -1: all of them.  There must be one at least. */
int reduce(struct reduction *, struct game *, const struct state *, const struct menu *);
bool doubt_is_refuted(const struct tree *, const struct doubt *);
void reduction_release(struct reduction *);

#endif
