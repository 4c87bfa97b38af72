/*
 * cancel_outcomes -- which sends and receives of a run are cancelled in time, and which must not be.
 *
 * Whether a cancel comes in time is a race in a job.  An operation that has met another so far, or was seen by a
 * probe, must be there; one that was withdrawn must not.  Who has received what is told by the histories of
 * the ranks, the rest by the decisions of the search.
 */
#ifndef DIST_CANCEL_OUTCOMES_H
#define DIST_CANCEL_OUTCOMES_H

#include "dist/decide.h"

struct cancel_outcomes {
    struct map of; /* rank and operation, as the search counts them -> enum cancel_outcome */
};

/*
 * The ranks stand at these nodes, and the call of one of them returns `ret`.  A rank of which somebody has heard more
 * than that is further: its node is changed.
 */
void cancel_outcomes_find(struct cancel_outcomes *, const struct store *, const struct run_prefix *, node_id *last,
                          rank_t, const struct ret *);
void cancel_outcomes_release(struct cancel_outcomes *);

enum cancel_outcome cancel_outcome_of(const struct cancel_outcomes *, rank_t, uint32_t op);

/* The number of an operation in its rank's history, by the name of what it brings. */
uint32_t payload_op(const struct store *, uint64_t name);

#endif
