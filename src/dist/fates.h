/*
 * fates -- which sends and receives of a way are cancelled in time, and which must not be.
 *
 * Whether a cancel comes in time is a race in a job.  An operation that has met another on the way, or was seen by a
 * probe, must be there; one that was withdrawn must not.  Who has received what is told by the histories of
 * the ranks, the rest by the decisions of the search.
 */
#ifndef DIST_FATES_H
#define DIST_FATES_H

#include "dist/decide.h"

enum fate { FATE_IS_OPEN, FATE_MATCHED, FATE_WITHDRAWN };

struct fates {
    struct map of; /* rank and operation, as the search counts them -> enum fate */
};

/*
 * The ranks stand at these nodes, and the call of one of them returns `ret`.  A rank of which somebody has heard more
 * than that is further: its node is changed.
 */
void fates_find(struct fates *, const struct store *, const struct way *, node_id *last, rank_t, const struct ret *);
void fates_release(struct fates *);

enum fate fates_of(const struct fates *, rank_t, uint32_t op);

/* The number of an operation in its rank's history, by the name of what it brings. */
uint32_t fates_op(const struct store *, uint64_t name);

#endif
