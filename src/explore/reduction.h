/*
 * reduction -- which of the things that can be decided in a state are decided there, and which are left for later.
 *
 * The search asks a reduction in every state.  It must be exact: of every run that goes on from the state, one that is
 * equivalent takes an option of what the reduction has chosen.  It may rest on doubts, which the search
 * keeps: if the tree later refutes one, the state is expanded again with everything in it.  What others call a persistent set is
 * here the options of one point, or of all.
 *
 * A reduction is a value, so that another can be tried beside the one in use: by options.reduction, in the
 * same search, with the same judges (test/model/explore_brute.c goes through all of them).
 */
#ifndef EXPLORE_REDUCTION_H
#define EXPLORE_REDUCTION_H

#include "explore/menu.h"

/* No history below `node` is assumed to send such a message. */
struct no_send_assumption {
    node_id node;
    uint32_t mailbox;
    uint64_t tags;
};
bool doubt_is_refuted(const struct tree *, const struct no_send_assumption *);

/* What a reduction has to work with, from state to state. */
struct reducer {
    VEC(struct no_send_assumption) doubt; /* on which the last choice rests; empty: it holds in any case */
    VEC(struct no_send_assumption) draft; /* scratch */
    bool *movable;           /* scratch, by rank; owned */
    const bool *stays;       /* borrowed, by rank: those that will never move, whatever comes; NULL: nobody */
};
void reducer_release(struct reducer *);

struct reduction {
    const char *name;
    /* The point to decide alone, or -1: all of them.  There must be one at least. */
    int (*choose)(struct reducer *, struct game *, const struct state *, const struct menu *);
};

/* The one that is used: a point that nothing can add to, of those the one that rests on the fewest doubts (one_point.c). */
extern const struct reduction reduction_one_point;
/* The same, but the first that will do: less to compare in each state, more doubts. */
extern const struct reduction reduction_first_point;
/* Everything in every state: for measuring, and to judge the others by. */
extern const struct reduction reduction_none;

#endif
