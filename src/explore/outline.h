/*
 * outline -- the tree of decisions, as far as it was visited, for somebody to look at.
 *
 * A branch is a decision and leads to a state.  States that are reached in several ways stand in
 * the tree once; the other ways lead there.  Of a large tree a part is told: the ways to
 * states that somebody asks for, and then what is nearest to the beginning.
 */
#ifndef EXPLORE_OUTLINE_H
#define EXPLORE_OUTLINE_H

#include "base/mem.h"
#include "explore/explore.h"

enum branch_end {
    BRANCH_GOES_ON,
    BRANCH_GOOD, /* a run ended here, and the visitor found it good */
    BRANCH_BAD,  /* a run ended here, and the visitor found it bad */
    BRANCH_OPEN, /* the search was stopped before it knew */
};

enum { BRANCH_NONE = UINT32_MAX };

struct branch {
    uint32_t parent; /* index; BRANCH_NONE of the first, which is where all runs begin and no decision */
    struct decision decision; /* `op` and `message` are not known */
    const struct op *op;      /* the call that was decided; NULL of the first */
    const struct op *message; /* what it received or saw; NULL: nothing */
    uint32_t step;            /* as in struct run */
    uint32_t same;            /* index of the branch that leads to the same state, and stands for it; or BRANCH_NONE */
    enum branch_end end;
    bool to_good, to_bad, to_open; /* what can be reached from here: such ends, or what was not looked at */
    uint32_t left_out; /* branches from here that are not told */
    uint32_t untried;  /* decisions from here that were not tried before the search was stopped */
};

struct outline {
    VEC(struct branch) branch; /* parents before their children */
    uint64_t all;              /* decisions in the whole tree */
};

/* Steps at which runs end that matter: their ways are told; those which are `bad` count as such, whatever the visitor said. */
struct landmarks {
    size_t wanted, bad;
    const uint32_t *wanted_step, *bad_step;
};

/* After the search, or of what it has visited so far.  At most so many branches beside those that are wanted. */
struct outline explore_outline(const struct explorer *, const struct landmarks *, size_t most);
void outline_release(struct outline *);

#endif
