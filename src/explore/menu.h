/*
 * menu -- what can be decided in a state at rest.
 *
 * A point is one thing to decide: which send a wildcard receive takes, or what a
 * call returns.  Its options are all that are open now.
 */
#ifndef EXPLORE_MENU_H
#define EXPLORE_MENU_H

#include "explore/state.h"

/* What identifies an option in its state: operation and choice are numbers of the tree, not of the semantics. */
struct option {
    uint32_t op;     /* the receive, or the call */
    uint64_t choice; /* the send that the receive takes; for a cancel, twice the operation, and 1 if it
                        withdraws it; else as for state_answer */
    op_id recv;      /* OP_ID_NONE: a call returns */
    op_id send;      /* that it takes or, a probe, sees */
    bool begun;      /* what it leads to is being run ahead, or known */
    bool other;      /* it is not the first of its point */
    bool late;       /* a poll says no though it could say yes */
    bool departs;    /* it is not the first of those that are tried in its state: set when these are planned */
    bool leaps;      /* a poll says no, and more noes are left to the rank (leaps.h) */
};

/* A decision, as in struct option. */
struct pick {
    uint32_t op;
    bool other, late, departs, leaps;
    uint64_t choice;
};

static inline struct pick option_pick(const struct option *option)
{
    return (struct pick){option->op, option->other, option->late, option->departs, option->leaps, option->choice};
}

struct point {
    rank_t rank;
    op_id recv;      /* OP_ID_NONE: the call of the rank */
    uint32_t first, n; /* of the options */
};

struct menu {
    VEC(struct option) option;
    VEC(struct point) point;
    VEC(op_id) recvs; /* scratch */
    uint32_t planned; /* options behind these are of no point: yeses in later rounds, once they were tried (later_rounds.c) */
    bool left_out;    /* some sets of a Waitsome or Testsome were left out, in this or an earlier state */
    bool late;        /* a poll could say no late, in this or an earlier state */
    bool marked;      /* all but the first option were left out, in a region that is marked for it */
};

void menu_fill(struct menu *, struct game *, const struct state *);
void menu_release(struct menu *);

/* What a rank that polls round and round can be told, but no, by so many of its polls, from this one on.  There is no point. */
void menu_fill_with_yeses(struct menu *, struct game *, const struct state *, rank_t, node_id at, uint32_t polls);

/* Takes an option that was open in this state, or in one of which it is a copy; -1: the runner failed. */
int menu_take(struct game *, struct state *, const struct option *) __attribute__((warn_unused_result));

#endif
