/*
 * check -- everything that is checked of a run when it is visited.
 */
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

#include "check/defect.h"
#include "check/file_races.h"
#include "check/window_races.h"
#include "explore/explore.h"

/* What was told of disputes so far. */
struct check {
    struct map told; /* send and receive -> 1 */
    bool tolerated;  /* a message was too long, and the program went on */
    struct window_races races;
    uint64_t unfollowed; /* runs of which accesses to windows could not be compared */
    struct file_races files;
    const struct local_touches *touches; /* borrows: who knows loads and stores; NULL: nobody does */
};

/* Adds what is wrong with the run, apart from how it ended.  During its visit. */
void check_run(struct check *, struct explorer *, const struct run *, int ranks, defects_t *);

/* Disputes that no run has come to, one after the other; NULL: none is left.  After the search. */
const struct dispute *check_next_open(struct check *, const struct explorer *);

void check_release(struct check *);

#endif
