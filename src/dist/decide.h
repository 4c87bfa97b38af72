/*
 * decide -- what the ranks of a job are told to do, so that one of them comes to a history.
 *
 * A job is led by all decisions of a run of the search up to the point where something is not
 * known (explore/runner.h, announce); from there on it is free.  Each of these decisions could be made
 * in the semantics, so it can be made on a real MPI: of the messages that a receive from any source may
 * take, it gets one.
 */
#ifndef DIST_DECIDE_H
#define DIST_DECIDE_H

#include "dist/store.h"
#include "explore/explore.h"

/* How a run goes, as far as it is known. */
struct run_prefix {
    VEC(struct decision) decision; /* owns */
    VEC(struct pairing) pairing;   /* owns; those that were made */
    VEC(node_id) last;             /* owns; by rank: where it stands; none: at its beginning */
};

void prefix_set(struct run_prefix *, const struct account *, int ranks);
void prefix_release(struct run_prefix *);

/*
 * A decision file (call/causal.h), to be freed: the prefix of a run, on which the rank comes from a node to
 * what `ret` leads to.  A rank that is told no is told so some times more.
 */
char *decide_write(const struct store *, const struct run_prefix *, rank_t, node_id from, const struct ret *);

#endif
