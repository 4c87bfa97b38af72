/*
 * check -- everything that is checked of a run when it is visited.
 */
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

#include "check/defect.h"
#include "explore/explore.h"

/* What was told of disputes so far. */
struct check {
    struct map told; /* send and receive -> 1 */
    bool tolerated;  /* a message was too long, and the program went on */
};

/* Adds what is wrong with the run, apart from how it ended.  During its visit. */
void check_run(struct check *, struct explorer *, const struct run *, int ranks, defects_t *);

/* Disputes that no run has come to, one after the other; NULL: none is left.  After the search. */
const struct dispute *check_next_open(struct check *, const struct explorer *);

void check_release(struct check *);

#endif
