/*
 * search -- what the search remembers.  Private to src/explore.
 */
#ifndef EXPLORE_SEARCH_H
#define EXPLORE_SEARCH_H

#include <time.h>

#include "explore/explore.h"
#include "explore/reduce.h"
#include "explore/seen.h"
#include "explore/tight.h"

/* How a state was reached: by taking an option in another one. */
struct step {
    uint32_t from; /* another step, or 0: the beginning */
    uint32_t op;   /* as in struct option */
    uint64_t choice;
};

/* A state with options to take: a stretch of `pending`. */
struct frame {
    struct state *state; /* owns */
    uint32_t step;
    size_t first, until;
};

/* A state decided at one point only, and why. */
struct assumption {
    uint32_t step;
    uint32_t doubts;
    size_t first; /* of `doubts` */
};

struct explorer {
    struct explore_options options;
    struct game game;
    struct menu menu;
    struct reduction reduction;
    struct seen seen;
    struct seen before; /* what was seen before the search began anew: ends among these are known to the visitor */
    VEC(struct step) step; /* from 1 */
    VEC(struct frame) frame;
    VEC(struct option) pending;
    VEC(struct assumption) assumed;
    VEC(struct doubt) doubts;
    VEC(uint32_t) path;
    node_id *nodes;
    const struct op **calls;
    struct seen cuts;      /* deadlocks with less slack that were told */
    struct trails trails;
    struct trail *trail;   /* by rank: the same for others to see */
    VEC(struct decision) decisions;
    VEC(struct op_name) buffered, unbuffered;
    struct account account;
    uint32_t telling;      /* the end of the run whose deadlocks with less slack are looked for */
    visit_fn *visit;
    void *visitor;
    struct timespec start;
    struct explore_result result;
};

/* The steps from the beginning to here; the first led to the first state, by no decision. */
void search_find_path(struct explorer *, uint32_t step);

/* The first state; NULL: the runner failed. */
struct state *search_begin(struct explorer *);

/* Goes on by an option of the state; the state is gone if the runner failed: -1. */
int search_take(struct explorer *, struct state *, const struct option *) __attribute__((warn_unused_result));
/* The same by what a step once took there. */
int search_take_step(struct explorer *, struct state *, const struct step *) __attribute__((warn_unused_result));

/* Tells the visitor that the run ended here. */
void search_tell(struct explorer *, const struct state *, uint32_t step);

#endif
